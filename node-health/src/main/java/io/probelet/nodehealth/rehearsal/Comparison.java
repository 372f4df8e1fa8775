package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.tape.TapeHeader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The result of a rehearsal.
 *
 * @param end the time of the tape's last line
 * @param complete whether the tape says that it ends there
 * @param lines how many lines it has
 * @param mostNodes the most nodes at one time
 * @param unseen how much of the time nothing was seen
 * @param columns what was recorded, the NodeHealthChecks in force, each if the tape has any; then
 *     the candidates
 * @param remarks what is wrong with the tape's own NodeHealthChecks, each once
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
