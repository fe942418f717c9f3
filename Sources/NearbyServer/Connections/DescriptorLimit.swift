import Glibc

/// The limit on the files and sockets that the process may have open.
enum DescriptorLimit {
    /// The least number of descriptors with room for the store, the status listener and sixteen clients.
    static let least = 128

    /// Raises the soft limit to the hard limit.
    ///
    /// - Returns: The limit that holds from now on.
    static func raise() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        if setrlimit(resource, &raised) == 0 { limit = raised }
        return Int(clamping: limit.rlim_cur)
    }
}
