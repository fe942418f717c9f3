extension NearbyService {
    /// Bytes of a web page that count as one request more.
    private static let bytesPerVisit = 65_536.0

    /// A file of a web page is asked for, by whoever likes. Throws: `.tooMuch`.
    ///
    /// - Parameter bytes: that are sent.
    public func visit(bytes: Int, address: String) throws(ServiceRefusal) {
        // More than there ever is at once would be waited for in vain.
        let amount = min(1 + Double(bytes) / Self.bytesPerVisit, settings.requestsPerAddress.atOnce)
        try addresses.spend(amount, .request, ClientNetwork(address), settings, now: clock.now)
    }
}
