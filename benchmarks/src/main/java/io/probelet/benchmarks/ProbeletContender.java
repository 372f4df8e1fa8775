package io.probelet.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Probelet as it ships: the same JVM, options and parts as {@code probelet run}. */
final class ProbeletContender implements Contender {
  private final Path jvmOptions;

  /** Takes the options the launcher uses. */
  ProbeletContender(Path jvmOptions) {
    this.jvmOptions = jvmOptions;
  }

  @Override
  public String name() {
    return "probelet";
  }

  @Override
  public Run start(Path directory, Load load) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                load.kind().name(),
                Integer.toString(load.workers()),
                Integer.toString(load.periodMillis()),
                load.ports().stream().map(String::valueOf).collect(Collectors.joining(","))));
    if (load.tls().verified()) {
      arguments.add(TlsLoad.authority(directory).toString());
    }
    Daemon daemon = launch(directory, jvmOptions, LoadProcess.class, arguments);
    return new Run() {
      @Override
      public Daemon daemon() {
        return daemon;
      }

      @Override
      public void measure() {
        daemon.say(LoadProcess.MEASURE);
      }

      @Override
      public void pause() {
        daemon.say(LoadProcess.PAUSE);
        daemon.expect(LoadProcess.PAUSE);
      }

      @Override
      public void goOn() {
        daemon.say(LoadProcess.GO_ON);
        daemon.expect(LoadProcess.GO_ON);
      }

      @Override
      public List<String> finish() {
        return daemon.finish();
      }

      @Override
      public void close() {
        daemon.close();
      }
    };
  }

  /** Starts a JVM like the launcher and waits for its first probe. */
  static Daemon launch(Path directory, Path jvmOptions, Class<?> program, List<String> arguments) {
    Daemon daemon = Daemon.start(directory, "probelet", command(jvmOptions, program, arguments));
    daemon.expect(LoadProcess.FIRST_PROBE);
    return daemon;
  }

  /** {@return the launcher's command line of a JVM} */
  static List<String> command(Path jvmOptions, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add("env");
    command.add("MALLOC_ARENA_MAX=2");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + jvmOptions);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(arguments);
    return command;
  }
}
