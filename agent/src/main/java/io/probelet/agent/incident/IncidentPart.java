package io.probelet.agent.incident;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.TimeSource;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentSource;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;

/** Records incidents, keeps them, and shows and reports them. */
public final class IncidentPart implements AutoCloseable {
  private final IncidentRecorder recorder;
  private final IncidentSource source;

  private IncidentPart(IncidentRecorder recorder, IncidentSource source) {
    this.recorder = recorder;
    this.source = source;
  }

  /**
   * Begins with the incidents that are in a file.
   *
   * @param sources where evidence comes from
   * @param file where incidents are kept
   * @param logLines how many of a log's last lines a record may hold; asked each time
   * @param metrics counts incidents
   * @param events takes the cause of a restart by the agent
   * @param time the clock
   * @return it; its {@link #recorder} is to be added to the engine
   */
  public static IncidentPart open(
      IncidentSources sources,
      IncidentFile file,
      IntSupplier logLines,
      MeterRegistry metrics,
      BiConsumer<Incident, String> events,
      TimeSource time) {
    IncidentStore store = new IncidentStore(file, time.wallTime());
    IncidentReports reports = new IncidentReports(metrics, events, time);
    IncidentRecorder recorder =
        new IncidentRecorder(sources, store, new LogTail(logLines), reports, time);
    reports.count(recorder, store);
    return new IncidentPart(recorder, store::of);
  }

  /** {@return what listens to the engine and to suppressed restarts} */
  public IncidentRecorder recorder() {
    return recorder;
  }

  /** {@return what is kept} */
  public IncidentSource source() {
    return source;
  }

  /** Finishes what is being recorded and written. */
  @Override
  public void close() {
    recorder.close();
  }
}
