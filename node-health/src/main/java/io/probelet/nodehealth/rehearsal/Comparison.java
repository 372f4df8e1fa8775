package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.tape.TapeHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The result of a rehearsal.
 *
 * @param end the time of the tape's last line
 * @param complete whether the tape has its end line
 * @param lines the number of its lines
 * @param mostNodes the maximum number of nodes at one time
 * @param unseen total time of its gaps
 * @param columns the recorded remediations and the NodeHealthChecks in force, if the tape has any;
 *     then the candidates
 * @param remarks problems of the tape's own NodeHealthChecks, each once
 */
public record Comparison(
    TapeHeader tape,
    Instant end,
    boolean complete,
    long lines,
    int mostNodes,
    Duration unseen,
    List<RehearsalTotals> columns,
    List<String> remarks) {
  /** Copies the lists. */
  public Comparison {
    columns = List.copyOf(columns);
    remarks = List.copyOf(remarks);
  }
}
