package io.probelet.process;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the output of a process goes. It is read as fast as these take it, each stream by a thread
 * of its own, unless {@link ProcessGroup#readOutput} reads standard output.
 *
 * @param out takes standard output; null if the process sends it elsewhere: its pipe is closed
 * @param err takes standard error; null likewise
 * @param readByCaller whether somebody calls {@link ProcessGroup#readOutput}
 */
public record ProcessOutput(
    @Nullable OutputStream out, @Nullable OutputStream err, boolean readByCaller) {
  /** A process that says nothing that matters, or writes it to a file of its own. */
  public static final ProcessOutput NONE = new ProcessOutput(null, null, false);

  /**
   * Takes one or both streams.
   *
   * @param out takes standard output, null as above
   * @param err takes standard error, null as above
   * @return the output, read by threads of its own
   */
  public static ProcessOutput to(@Nullable OutputStream out, @Nullable OutputStream err) {
    return new ProcessOutput(out, err, false);
  }
}
