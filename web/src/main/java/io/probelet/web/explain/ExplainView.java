package io.probelet.web.explain;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.JsonDefaults;
import java.util.List;

/**
 * One container as {@code GET /api/v1/explain} shows it.
 *
 * @param failure what follows when a startup or liveness probe has failed: restart, stop (without
 *     another instance), evict or delete (its pod), observe (nothing but that it is logged) or
 *     refuse (it is kept, for it would count as complete)
 * @param probes what its probes do, in the order of {@code container.probes}
 */
@JsonPropertyOrder({"container", "failure", "probes"})
public record ExplainView(ContainerView container, String failure, List<Probe> probes) {
  /** Takes what another agent leaves out for empty. */
  @SuppressWarnings("ConstantValue") // JSON may leave out anything
  public ExplainView {
    container = container == null ? ContainerView.NONE : container;
    failure = JsonDefaults.text(failure);
    probes = JsonDefaults.list(probes);
  }

  /**
   * One probe.
   *
   * @param kind startup, readiness or liveness
   * @param values what is in force, without what may be a secret
   * @param outlook what happens next, in sentences
   * @param reproduce commands for a shell on the node that ask the target the same, at most 8;
   *     empty where there is none, as for commands in the container
   */
  @JsonPropertyOrder({"kind", "values", "outlook", "reproduce"})
  public record Probe(
      String kind, List<Value> values, List<String> outlook, List<Reproduce> reproduce) {
    /** Takes what another agent leaves out for empty. */
    public Probe {
      kind = JsonDefaults.text(kind);
      values = JsonDefaults.list(values);
      outlook = JsonDefaults.list(outlook);
      reproduce = JsonDefaults.list(reproduce);
    }
  }

  /**
   * A command that asks a target what a probe asks it.
   *
   * @param command for a POSIX shell, at most 600 printable characters
   * @param without what of the probe it leaves out, as it may be a secret: query, headers, or both;
   *     empty for nothing
   */
  @JsonPropertyOrder({"command", "without"})
  public record Reproduce(String command, String without) {
    /** Takes what another agent leaves out for empty. */
    public Reproduce {
      command = JsonDefaults.text(command);
      without = JsonDefaults.text(without);
    }
  }

  /**
   * One value of a probe.
   *
   * @param name as in the annotation: period, timeout and so on; for what is done the handler's
   * @param value the value in words, at most 600 characters
   * @param origin spec, annotation, default or policy
   */
  @JsonPropertyOrder({"name", "value", "origin"})
  public record Value(String name, String value, String origin) {
    /** Takes what another agent leaves out for empty. */
    public Value {
      name = JsonDefaults.text(name);
      value = JsonDefaults.text(value);
      origin = JsonDefaults.text(origin);
    }
  }
}
