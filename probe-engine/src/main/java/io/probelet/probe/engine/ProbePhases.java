package io.probelet.probe.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The duration of each phase of a probe. The remaining time is the rest of the response, or the
 * phase in which the probe ended. Precise to about three digits.
 *
 * @param before until the last connection was begun: earlier attempts, redirects and files; zero
 *     mostly
 * @param resolve the host's name; null where there was nothing to resolve
 * @param connect the connection; null if none was made
 * @param tls the handshake; null without TLS or if it was not done
 * @param firstByte from the request to the first byte of the answer; null if none came
 */
public record ProbePhases(
    Duration before,
    @Nullable Duration resolve,
    @Nullable Duration connect,
    @Nullable Duration tls,
    @Nullable Duration firstByte) {}
