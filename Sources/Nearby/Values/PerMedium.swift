/// A map with at most one value for each medium. It replaces a dictionary, whose hash tables Swift compiles
/// for each type of value.
struct PerMedium<Value: Sendable>: Sendable {
    private var audio: Value?
    private var ble: Value?

    subscript(_ medium: Medium) -> Value? {
        get { medium == .audio ? audio : ble }
        _modify {
            switch medium {
            case .audio: yield &audio
            case .ble: yield &ble
            }
        }
    }

    subscript(_ medium: Medium, default standard: @autoclosure () -> Value) -> Value {
        get { self[medium] ?? standard() }
        _modify {
            var value = self[medium] ?? standard()
            self[medium] = nil
            defer { self[medium] = value }
            yield &value
        }
    }

    /// The entries, in the order of ``Medium``.
    var inOrder: [(key: Medium, value: Value)] {
        Medium.allCases.compactMap { medium in self[medium].map { (medium, $0) } }
    }

    var media: Set<Medium> { Set(inOrder.map { $0.key }) }
    var values: [Value] { inOrder.map { $0.value } }
    var isEmpty: Bool { audio == nil && ble == nil }
}
