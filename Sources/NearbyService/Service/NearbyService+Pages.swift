extension NearbyService {
    /// The number of bytes of a web page that count as one more request.
    private static let bytesPerVisit = 65_536.0

    /// Charges the budget of an address with a request for a file of a web page, which anybody may make.
    /// Throws: `.tooMuch`.
    ///
    /// - Parameter bytes: the number of bytes that are sent.
    package func visit(bytes: Int, address: String) throws(ServiceRefusal) {
        // An amount larger than the whole budget would never become available.
        let amount = min(1 + Double(bytes) / Self.bytesPerVisit, settings.requestsPerAddress.atOnce)
        try spend(amount, .request, of: ClientNetwork(address))
    }
}
