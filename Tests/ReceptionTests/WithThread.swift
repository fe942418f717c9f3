import Glibc
import Testing

/// Runs `body` on its own thread while `meanwhile` runs here, and waits. `meanwhile` lets it end.
func withThread(_ body: () -> Void, while meanwhile: () throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
        var thread = pthread_t()
        var run = body
        try withUnsafeMutablePointer(to: &run) { run in
            let status = pthread_create(
                &thread, nil,
                { run in
                    run!.assumingMemoryBound(to: (() -> Void).self).pointee()
                    return nil
                }, run)
            try #require(status == 0)
            try meanwhile()
            pthread_join(thread, nil)
        }
    }
}
