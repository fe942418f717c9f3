import Foundation

/// The number of trials of a statistical test. `Tools/test` takes few, which show a fault that is plain;
/// `Tools/rigs trials` takes many, which the figures on the pages rest on.
package enum Trials {
    /// True if the environment says `NEARBY_TRIALS=many`.
    package static let areMany = ProcessInfo.processInfo.environment["NEARBY_TRIALS"] == "many"

    package static func count(_ few: Int, many: Int) -> Int { areMany ? many : few }
}
