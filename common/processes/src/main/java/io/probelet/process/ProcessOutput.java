package io.probelet.process;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of a process's output. Each stream is read by its own thread, as fast as its
 * receiver accepts it, unless {@link ProcessGroup#readOutput} reads standard output.
 *
 * @param out receives standard output; null if the process redirects it: the pipe is closed
 * @param err receives standard error; null likewise
 * @param readByCaller whether the caller uses {@link ProcessGroup#readOutput}
 */
public record ProcessOutput(
    @Nullable OutputStream out, @Nullable OutputStream err, boolean readByCaller) {
  /** For a process whose output is irrelevant, or goes to its own file. */
  public static final ProcessOutput NONE = new ProcessOutput(null, null, false);

  /**
   * Receives one or both streams.
   *
   * @param out receives standard output, null as above
   * @param err receives standard error, null as above
   * @return the output, read by its own threads
   */
  public static ProcessOutput to(@Nullable OutputStream out, @Nullable OutputStream err) {
    return new ProcessOutput(out, err, false);
  }
}
