import Glibc

/// The spread of reverberant energy over rooms, through their walls and doors.
///
///     (Aᵢ + Σⱼ Sᵢⱼ) wᵢ − Σⱼ Sᵢⱼ wⱼ = 16π δᵢₖ,     Sᵢⱼ = Σ area · 10^(−loss / 10)
///
/// w is the reverberant mean square pressure that a speaker in room k makes, over that of its direct sound at
/// 1 m; in one room by itself it is 16π / A, the critical distance's inverse square. The matrix is symmetric,
/// and so is its solution: sound takes either way alike. Reference: Kuttruff, *Room Acoustics*, §5.8 (coupled
/// rooms).
struct CoupledRooms: Sendable, Hashable {
    /// The values of w, `[room of the speaker][room of the microphone]`.
    let energy: [[Double]]
    /// The decay of each room's energy in nepers a second, including the losses through its openings.
    let decayPerSecond: [Double]

    /// - Parameter couplings: the values of S, `[room][room]`, in m².
    init(_ rooms: [Room], couplings: [[Double]]) {
        let losses = zip(rooms, couplings).map { $0.absorptionSquareMeters + $1.reduce(0, +) }
        let matrix = rooms.indices.map { i in
            rooms.indices.map { j in i == j ? losses[i] : -couplings[i][j] }
        }
        let unit = rooms.indices.map { k in rooms.indices.map { $0 == k ? 16 * Double.pi : 0 } }
        energy = rooms.isEmpty ? [] : LinearSystem.solve(matrix, unit)
        decayPerSecond = zip(rooms, losses).map {
            6 * log(10) / $0.rt60Seconds * $1 / $0.absorptionSquareMeters
        }
    }
}
