/// A log-likelihood ratio, ln p(1)/p(0): positive means "probably 1".
///
/// The sign convention of the whole package is fixed here and nowhere else. The type is a plain `Float`,
/// since millions of them stand in arrays that SIMD code reads.
package typealias SoftBit = Float
