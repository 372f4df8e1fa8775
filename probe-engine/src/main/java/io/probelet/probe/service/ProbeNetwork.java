package io.probelet.probe.service;

import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.Prober;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What probes go through: the sockets of this machine, or those of a simulated world. */
public interface ProbeNetwork extends AutoCloseable {
  /**
   * A queue in which probes wait for something that may be slow.
   *
   * @param name one word for metrics
   * @param length how much is in it; may be asked on any thread
   * @param limit how much may be in it, and more is refused; 0 if something else limits it
   */
  record Queue(String name, IntSupplier length, int limit) {}

  /**
   * Creates the probers of each event loop. Called once.
   *
   * @param userAgent the User-Agent of HTTP and gRPC probes, asked for each probe
   * @param exec creates the prober of exec probes for a loop
   * @return at least one
   */
  List<LoopProber> probers(
      Supplier<String> userAgent, Function<ProbeLoop, ? extends Prober<Exec>> exec);

  /**
   * {@return what carries out preStop hooks}
   *
   * @param limits how many may be in progress
   */
  HookRunner hooks(HookLimits limits);

  /** {@return how many files and sockets may be open at once; 0 if unknown} */
  long maxOpenFiles();

  /** {@return the queues in which probes wait} */
  List<Queue> queues();

  /** Ends the event loops. Not to be called on one of them. */
  @Override
  void close();
}
