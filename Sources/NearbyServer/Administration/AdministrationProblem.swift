/// An error for an administration socket that cannot be made, or an audit log that cannot be written.
package struct AdministrationProblem: Error, Hashable, CustomStringConvertible {
    /// One line that says what cannot be done, why, and what to do.
    package let description: String
    /// True if this user has no permission, although others might.
    package let isOfPermission: Bool

    init(_ description: String, isOfPermission: Bool = false) {
        (self.description, self.isOfPermission) = (description, isOfPermission)
    }
}
