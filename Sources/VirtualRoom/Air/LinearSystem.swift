/// A solver of A x = b for small and well conditioned systems.
enum LinearSystem {
    /// Solves a system by Gaussian elimination without pivoting, for positive definite matrices such as all
    /// here.
    ///
    /// Shapes: matrix `[n][n]`, right sides `[k][n]` → solutions `[k][n]`.
    static func solve(_ matrix: [[Double]], _ rightSides: [[Double]]) -> [[Double]] {
        let n = matrix.count
        var (a, b) = (matrix, rightSides)
        for pivot in 0..<n {
            for row in pivot + 1..<max(n, pivot + 1) {
                let factor = a[row][pivot] / a[pivot][pivot]
                for column in pivot..<n { a[row][column] -= factor * a[pivot][column] }
                for side in b.indices { b[side][row] -= factor * b[side][pivot] }
            }
        }
        for side in b.indices {
            for row in (0..<n).reversed() {
                for column in row + 1..<max(n, row + 1) { b[side][row] -= a[row][column] * b[side][column] }
                b[side][row] /= a[row][row]
            }
        }
        return b
    }
}
