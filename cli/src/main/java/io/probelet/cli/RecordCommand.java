package io.probelet.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.console.EndSignal;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.console.LogOptions;
import io.probelet.cli.console.Logging;
import io.probelet.cli.option.OperatorKubeconfig;
import io.probelet.fleet.terminal.Progress;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.nodehealth.controller.TapeRecorder;
import io.probelet.rehearsal.prometheus.PrometheusException;
import io.probelet.rehearsal.prometheus.PrometheusSource;
import io.probelet.rehearsal.simulate.TapeFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code probelet record}: writes a tape of what happens to the nodes of a cluster. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description =
        "Records what happens to the nodes of a cluster, to its NodeHealthChecks and to their"
            + " remediations, until Ctrl-C; probelet simulate --tape plays it. Only reads.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:ended by Ctrl-C or TERM; with --from-prometheus: the tape is complete",
      " 1:ended because the tape is full or cannot be written",
      " 2:wrong usage, or no way to the API server or Prometheus"
    })
final class RecordCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int CUT_OFF = 1;
  private static final int BAD_INPUT = 2;
  private static final int MAX_MEBIBYTES = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int END_SECONDS = 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      defaultValue = "tape.jsonl",
      description = "The tape, which must not exist yet (default: ${DEFAULT-VALUE}).")
  private Path output;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = "",
      description = "What to call the cluster on the tape.")
  private String cluster;

  @Option(
      names = "--max-mebibytes",
      paramLabel = "COUNT",
      defaultValue = "1024",
      description = "Ends when the tape is as large (default: ${DEFAULT-VALUE}).")
  private int maxMebibytes;

  @Mixin private PrometheusOptions prometheus = new PrometheusOptions();
  @Mixin private OperatorKubeconfig kubeconfig = new OperatorKubeconfig();
  @Mixin private LogOptions logOptions = new LogOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (maxMebibytes < 1 || maxMebibytes > MAX_MEBIBYTES) {
      throw new ParameterException(
          spec.commandLine(), "--max-mebibytes must be from 1 to " + MAX_MEBIBYTES + ".");
    }
    if (cluster.length() > 253) {
      throw new ParameterException(spec.commandLine(), "--cluster is longer than 253 characters.");
    }
    if (prometheus.isGiven()) {
      IneffectiveOptions.refuse(
          spec, "with --from-prometheus", List.of("--kubeconfig", "--context"));
      return fromPrometheus();
    }
    IneffectiveOptions.refuse(spec, "without --from-prometheus", PrometheusOptions.FURTHER);
    EndSignal end = EndSignal.install();
    try (Logging _ = logOptions.open();
        ClusterAccess access = kubeconfig.access();
        TapeFile tape = new TapeFile(output, maxMebibytes * 1024L * 1024, end::ask)) {
      record(ApiServer.of(access.client(), TIMEOUT), tape, end);
      return tape.isCutOff() ? cutOff() : OK;
    } catch (FileAlreadyExistsException e) {
      return refuse(output + " exists already; a tape is not written over");
    } catch (NoSuchFileException e) {
      return refuse(output + " cannot be written: its folder does not exist");
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      return refuse(String.valueOf(unable.getMessage()));
    } finally {
      end.ended();
    }
  }

  /** Ctrl-C ends the program, and leaves a tape without its last line: cut off. */
  private int fromPrometheus() throws InterruptedException {
    Progress progress =
        Progress.standardError(spec.commandLine().getErr(), System.getenv(), SystemClock.INSTANCE);
    PrometheusSource source;
    try {
      source = prometheus.source(SystemClock.INSTANCE.wallTime());
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    try (Logging _ = logOptions.open();
        TapeFile tape = new TapeFile(output, maxMebibytes * 1024L * 1024, () -> {})) {
      Instant begun;
      try (progress) {
        begun =
            source.makeTape(
                cluster,
                tape,
                tape::isCutOff,
                new Random(),
                (done, all) -> progress.show(() -> progressed(done, all)));
      }
      print(output + " begins " + begun);
      return tape.isCutOff() ? cutOff() : OK;
    } catch (PrometheusException | UncheckedIOException failed) {
      return refuse(failed.getMessage() + "; " + withoutHalf());
    } catch (FileAlreadyExistsException e) {
      return refuse(output + " exists already; a tape is not written over");
    } catch (NoSuchFileException e) {
      return refuse(output + " cannot be written: its folder does not exist");
    } catch (IOException | IllegalArgumentException unable) {
      return refuse(String.valueOf(unable.getMessage()));
    }
  }

  /** {@return how much of the tape is made, in days, or in hours if it has less than two} */
  static String progressed(Duration done, Duration all) {
    boolean days = all.toDays() >= 2;
    return "probelet record: %d of %d %s"
        .formatted(
            days ? done.toDays() : done.toHours(),
            days ? all.toDays() : all.toHours(),
            days ? "days" : "hours");
  }

  private String withoutHalf() {
    try {
      Files.deleteIfExists(output);
      return "there is no tape";
    } catch (IOException e) {
      return output + " is cut off and cannot be removed";
    }
  }

  private void record(ApiServer api, TapeFile tape, EndSignal end) throws InterruptedException {
    try (TapeRecorder recorder =
        new TapeRecorder(
            api, cluster, tape, SystemClock.INSTANCE, new Random(), TapeRecorder.thread())) {
      end.await();
      try {
        if (!recorder.end().get(END_SECONDS, TimeUnit.SECONDS)) {
          print("nothing was recorded: not all that exists was known yet");
        }
      } catch (ExecutionException | TimeoutException e) {
        print("the tape has no line that ends it: " + e.getMessage());
      }
    }
  }

  private int cutOff() {
    print(output + " is full or cannot be written; recording has ended");
    return CUT_OFF;
  }

  private int refuse(String why) {
    print(why);
    return BAD_INPUT;
  }

  private void print(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet record: " + line);
    err.flush();
  }
}
