/// Conversions of samples and chips, with the values of the standard library's. That one goes by way of
/// `Int64`, which a 32-bit ARM converts by a function of 80 instructions.
extension Float {
    @inline(__always) package init(_ value: Int8) { self = Float(Int(value)) }
    @inline(__always) package init(_ value: Int16) { self = Float(Int(value)) }
    @inline(__always) package init(_ value: Int32) { self = Float(Int(value)) }
}
