import AsyncHTTPClient
import Foundation
import NIOCore
import NearbyWire

/// A device as the server sees it: its reports, and the stream of its events.
package struct WireDevice {
    package let secret: String
    private let patience: TimeAmount

    /// Throws `UnexpectedStatus`, or another error if nobody answers.
    package init(
        _ key: String, at url: String, label: String? = nil, patience: TimeAmount = .seconds(10)
    ) async throws {
        self.patience = patience
        let request = label.map { WireCoding.encode(WireRegistrationRequest(label: $0)) }
        let (status, body) = try await WireDevice.ask(
            "\(url)/v1/devices", bearer: key, body: request ?? Data(), patience: patience)
        guard status == 201 else {
            throw UnexpectedStatus(status: status, line: String(decoding: body, as: UTF8.self))
        }
        secret = try WireCoding.decode(WireRegistration.self, from: body).device
    }

    package struct UnexpectedStatus: Error, Equatable {
        package var status: UInt
        /// The text that came with the status.
        package var line: String

        package init(status: UInt, line: String = "") {
            self.status = status
            self.line = line
        }

        package static func == (a: Self, b: Self) -> Bool { a.status == b.status }
    }

    /// Sends a report. Throws `UnexpectedStatus`.
    @discardableResult
    package func report(_ report: WireReport, at url: String) async throws -> WireAnswer {
        let (status, body) = try await WireDevice.ask(
            "\(url)/v1/report", bearer: secret, body: WireCoding.encode(report), patience: patience)
        guard status == 200 else {
            throw UnexpectedStatus(status: status, line: String(decoding: body, as: UTF8.self))
        }
        return try WireCoding.decode(WireAnswer.self, from: body)
    }

    /// Returns the answers of its stream.
    package func events(at url: String) async throws -> AsyncThrowingStream<WireAnswer, any Error> {
        var request = HTTPClientRequest(url: "\(url)/v1/events")
        request.headers.add(name: "Authorization", value: "Bearer \(secret)")
        let response = try await HTTPClient.shared.execute(request, timeout: patience)
        guard response.status == .ok else { throw UnexpectedStatus(status: response.status.code) }
        let (answers, queue) = AsyncThrowingStream.makeStream(of: WireAnswer.self)
        let reader = Task {
            do {
                for try await chunk in response.body {
                    for line in String(buffer: chunk).split(separator: "\n") where line.hasPrefix("data: ") {
                        let answer = try WireCoding.decode(
                            WireAnswer.self, from: Data(line.dropFirst(6).utf8))
                        // An event without a mailbox has advice, and is no answer.
                        if answer.mailbox != nil { queue.yield(answer) }
                    }
                }
                queue.finish()
            } catch { queue.finish(throwing: error) }
        }
        queue.onTermination = { _ in reader.cancel() }
        return answers
    }

    private static func ask(
        _ url: String, bearer: String, body: Data, patience: TimeAmount
    ) async throws -> (status: UInt, body: Data) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(bearer)")
        request.body = .bytes(body)
        let response = try await HTTPClient.shared.execute(request, timeout: patience)
        let answer = try await response.body.collect(upTo: 1 << 20)
        return (response.status.code, Data(answer.readableBytesView))
    }
}
