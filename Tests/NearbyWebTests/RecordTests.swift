import Testing

@testable import NearbyWeb

@Suite struct RecordTests {
    @Test func fieldsComeBackAsTheyWereWritten() throws {
        var writer = RecordWriter()
        writer.put(code: 7)
        writer.put(true)
        writer.put(-0.5)
        writer.put(name: 0x0102_0304_0506_0708)
        writer.put([UInt8](1...3))
        writer.put("Grüße")
        writer.put(list: [1.0, 2.0]) { $0.put($1) }
        writer.put(nil as Double?) { $0.put($1) }
        var reader = RecordReader(writer.bytes)
        #expect(try reader.byte() == 7)
        #expect(try reader.flag())
        #expect(try reader.double() == -0.5)
        #expect(try reader.name() == 0x0102_0304_0506_0708)
        #expect(try reader.bytes() == [1, 2, 3])
        #expect(try reader.text() == "Grüße")
        #expect(try reader.list { reader throws(WebError) in try reader.double() } == [1, 2])
        #expect(try reader.optional { reader throws(WebError) in try reader.double() } == nil)
        try reader.end()
    }

    @Test func theFirstByteOfANameIsTheHighest() {
        var writer = RecordWriter()
        writer.put(name: 0x0102_0304_0506_0708)
        #expect(writer.bytes == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        var short = RecordReader([1, 2, 3])
        #expect(throws: WebError.tooShort) { try short.double() }
        var text = RecordReader([2, 0, 0, 0, 0xC3, 0x28])
        #expect(throws: WebError.noText) { try text.text() }
        var lie = RecordReader([0xFF, 0xFF, 0xFF, 0xFF, 0])
        #expect(throws: WebError.tooShort) { try lie.bytes() }
        var flag = RecordReader([2])
        #expect(throws: WebError.outOfRange) { try flag.flag() }
        var infinite = RecordWriter()
        infinite.put(Double.infinity)
        var reader = RecordReader(infinite.bytes)
        #expect(throws: WebError.outOfRange) { try reader.double() }
        let more = RecordReader([0])
        #expect(throws: WebError.tooLong) { try more.end() }
    }

    @Test func theDeadlineIsNotBeforeItsTime() {
        #expect(Duration(secondsComponent: 1, attosecondsComponent: 1).microsecondsUp == 1_000_001)
        #expect(Duration.microseconds(5).microsecondsUp == 5)
        #expect(Duration(secondsComponent: 1, attosecondsComponent: 1).wholeMicroseconds == 1_000_000)
        #expect(Duration.seconds(Int64.max).wholeMicroseconds == .max)
    }
}
