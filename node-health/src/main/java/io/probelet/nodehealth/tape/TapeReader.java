package io.probelet.nodehealth.tape;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Position;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.health.FailureReason;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.tape.TapeLine.CheckGone;
import io.probelet.nodehealth.tape.TapeLine.CheckSeen;
import io.probelet.nodehealth.tape.TapeLine.ConditionChange;
import io.probelet.nodehealth.tape.TapeLine.Cordon;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.Gap;
import io.probelet.nodehealth.tape.TapeLine.LabelChange;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceGone;
import io.probelet.nodehealth.tape.TapeLine.MaintenanceSeen;
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeLine.RemediationGone;
import io.probelet.nodehealth.tape.TapeLine.RemediationSeen;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tape line by line (TP-1). Each returned line is consistent with all previous ones, so
 * that players need no checks. It keeps only the names of existing objects.
 *
 * <p>Not thread-safe.
 */
public final class TapeReader implements AutoCloseable {
  /** Maximum time from the start of a tape to its last line. */
  public static final Duration MAX_LENGTH = Duration.ofDays(366);

  /** Maximum number of nodes at one time. */
  public static final int MAX_NODES = 20_000;

  /** Maximum number of remediations at one time. */
  public static final int MAX_REMEDIATIONS = 20_000;

  /** The most lines. */
  public static final long MAX_LINES = 50_000_000;

  private final Path file;
  private final InputStream in;
  private final TapeText text;
  private final TapeHeader header;
  private final Set<String> nodes = new HashSet<>();
  private final CheckSizes checks = new CheckSizes();
  private final CheckSizes maintenances = CheckSizes.ofMaintenances();
  private final Set<String> remediations = new HashSet<>();
  private long number;
  private long bytesRead;
  private Instant last;
  private boolean ended;

  /** How to read a line. */
  private interface Format<T> {
    @Nullable T read(Node root, Problems problems);
  }

  private TapeReader(Path file, InputStream in) throws TapeException {
    this.file = file;
    this.in = in;
    this.text = new TapeText(in);
    this.header = readHeader();
    this.last = header.start();
  }

  /**
   * Opens a tape and reads its header.
   *
   * @return the reader, to be closed
   * @throws TapeException if the file does not exist, or does not begin with a valid header
   */
  public static TapeReader open(Path file) throws TapeException {
    InputStream in = null;
    try {
      in = Files.newInputStream(file);
      return new TapeReader(file, in);
    } catch (NoSuchFileException e) {
      throw ofFile(file, "does not exist");
    } catch (IOException e) {
      throw ofFile(file, "cannot be read: " + FailureReason.of(e));
    } catch (TapeException e) {
      closeQuietly(in);
      throw e;
    }
  }

  private static void closeQuietly(@Nullable InputStream in) {
    try {
      if (in != null) {
        in.close();
      }
    } catch (IOException e) {
      // Nothing was written, so closing errors lose nothing.
    }
  }

  /** {@return the header} */
  public TapeHeader header() {
    return header;
  }

  /** {@return the time of the last line read; at first the tape's start} */
  public Instant last() {
    return last;
  }

  /** {@return the number of lines read so far, including the header} */
  public long lines() {
    return number;
  }

  /** {@return the number of bytes of these lines, including line ends} */
  public long bytes() {
    return bytesRead;
  }

  /** {@return whether the tape has its end line; a truncated one does not} */
  public boolean ended() {
    return ended;
  }

  /**
   * Reads the next line.
   *
   * @return the line; null after the last
   * @throws TapeException if it is invalid
   */
  public @Nullable TapeLine next() throws TapeException {
    byte[] bytes = nextBytes();
    if (bytes == null) {
      return null;
    }
    TapeLine line = read(bytes, TapeLines::line);
    check(line, bytes.length);
    return line;
  }

  @Override
  public void close() {
    closeQuietly(in);
  }

  private TapeHeader readHeader() throws TapeException {
    byte[] bytes = nextBytes();
    if (bytes == null) {
      throw ofFile(file, "is empty; a tape starts with a header");
    }
    return read(bytes, TapeLines::header);
  }

  private byte @Nullable [] nextBytes() throws TapeException {
    number++;
    try {
      byte[] bytes = text.next();
      if (bytes == null) {
        number--;
      } else if (number > MAX_LINES) {
        throw wrong("exceeds the limit of " + MAX_LINES + " lines");
      } else {
        bytesRead += bytes.length + 1;
      }
      return bytes;
    } catch (TapeText.LineTooLong e) {
      throw wrong("exceeds the limit of " + TapeText.MAX_LINE + " bytes for a line");
    } catch (IOException e) {
      throw ofFile(file, "cannot be read: " + e.getMessage());
    }
  }

  /** Returns the line's content, or all its errors with their positions in the file. */
  private <T> T read(byte[] bytes, Format<T> format) throws TapeException {
    Problems problems = new Problems(file, 0);
    T result = null;
    switch (Source.decode(bytes)) {
      case Source.Decoded.Malformed(SyntaxProblem problem) ->
          problems.error(problem.at(), "", problem.message());
      case Source.Decoded.Text(Source source) -> {
        Document document = Document.json(source);
        document.problems().forEach(each -> problems.error(each.at(), "", each.message()));
        Node root = document.root();
        if (root != null) {
          result = format.read(root, problems);
        }
      }
    }
    if (result == null || problems.errors() > 0) {
      if (problems.errors() == 0) {
        problems.error(Position.START, "", "must be a JSON object");
      }
      throw new TapeException(problems.all().stream().map(this::placed).toList());
    }
    return result;
  }

  private Problem placed(Problem problem) {
    int column = problem.at() == null ? 1 : problem.at().column();
    return new Problem(
        problem.origin(),
        0,
        new Position((int) number, column),
        problem.severity(),
        problem.field(),
        problem.message());
  }

  // --- Consistency with the previous lines

  private void check(TapeLine line, int bytes) throws TapeException {
    if (ended) {
      throw wrong("follows the line that ends the tape");
    }
    if (line.at().isBefore(last)) {
      throw wrong("at: time goes back, from %s to %s".formatted(last, line.at()));
    }
    if (line.at().isAfter(header.start().plus(MAX_LENGTH))) {
      throw wrong("at: is more than %d days after the start".formatted(MAX_LENGTH.toDays()));
    }
    switch (line) {
      case NodeSeen seen -> add(nodes, seen.node().name(), MAX_NODES, "nodes");
      case NodeGone gone -> remove(nodes, gone.node(), "node");
      case ConditionChange change -> known(change.node());
      case LabelChange change -> known(change.node());
      case Cordon cordon -> known(cordon.node());
      case CheckSeen seen -> {
        if (!checks.takes(seen.name(), bytes)) {
          throw wrong(
              "there are more than %d NodeHealthChecks, or more than %d bytes of them, at one time"
                  .formatted(CheckSizes.MAX_CHECKS, CheckSizes.MAX_BYTES));
        }
      }
      case CheckGone gone -> {
        if (!checks.remove(gone.name())) {
          throw wrong("there is no NodeHealthCheck " + gone.name() + " at this time");
        }
      }
      case MaintenanceSeen seen -> {
        if (!maintenances.takes(seen.name(), bytes)) {
          throw wrong(
              "there are more than %d Maintenances, or more than %d bytes of them, at one time"
                  .formatted(MaintenanceBook.MAX_OBJECTS, CheckSizes.MAX_BYTES));
        }
      }
      case MaintenanceGone gone -> {
        if (!maintenances.remove(gone.name())) {
          throw wrong("there is no Maintenance " + gone.name() + " at this time");
        }
      }
      case RemediationSeen seen ->
          add(remediations, seen.remediation().uid(), MAX_REMEDIATIONS, "remediations");
      case RemediationGone gone -> remove(remediations, gone.uid(), "remediation with uid");
      case Gap gap -> {
        if (gap.from().isBefore(header.start())) {
          throw wrong("gap.from: is before the tape's start");
        }
      }
      case End _ -> ended = true;
    }
    last = line.at();
  }

  private void known(String node) throws TapeException {
    if (!nodes.contains(node)) {
      throw wrong("there is no node " + node + " at this time");
    }
  }

  private void add(Set<String> names, String name, int most, String what) throws TapeException {
    if (names.add(name) && names.size() > most) {
      throw wrong("there are more than %d %s at one time".formatted(most, what));
    }
  }

  private void remove(Set<String> names, String name, String what) throws TapeException {
    if (!names.remove(name)) {
      throw wrong("there is no " + what + " " + name + " at this time");
    }
  }

  /**
   * {@return an error at the last line read}
   *
   * @param message the error
   */
  public TapeException wrong(String message) {
    Position at = new Position((int) Math.min(number, Integer.MAX_VALUE), 1);
    return new TapeException(
        List.of(new Problem(file.toString(), 0, at, Severity.ERROR, "", message)));
  }

  private static TapeException ofFile(Path file, String message) {
    return new TapeException(List.of(Problem.ofFile(file, Severity.ERROR, message)));
  }
}
