/// An observer of every candidate: it hears why a frame was lost, and how the heard ones came through the
/// room.
///
/// Called while samples are processed, on the thread that processes them. Copies of a receiver share their
/// observer.
public protocol ReceiverObserver: AnyObject, Sendable {
    /// Reports the outcome of one candidate of a DSSS or FSK search as soon as it is known; other families
    /// report nothing.
    func settled(_ candidate: CandidateTrace)
}
