/// A driver of one medium that carries tokens between devices. The engine uses media only through this
/// protocol.
public protocol MediumDriver: Sendable {
    /// The medium that the driver drives. An engine uses one driver for each medium. The value does not
    /// change.
    var medium: Medium { get }

    /// Returns the events of the medium, the present condition first. The stream has one reader, and ends
    /// when the medium is released.
    func events() -> AsyncStream<MediumEvent>

    /// Carries out this assignment, and nothing else, from now on. Returns when the assignment is under way;
    /// the condition shows what cannot be done.
    func carryOut(_ assignment: MediumAssignment) async
}
