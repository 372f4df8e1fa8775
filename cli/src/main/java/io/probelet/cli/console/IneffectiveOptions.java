package io.probelet.cli.console;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Options that have no effect together with the others. They are errors, so that nobody relies on
 * them.
 */
public final class IneffectiveOptions {
  private IneffectiveOptions() {}

  /**
   * Refuses options that were given.
   *
   * @param when why they have no effect, such as "without --cluster"
   * @throws ParameterException if one of them was given
   */
  public static void refuse(CommandSpec spec, String when, List<String> names) {
    given(spec, names)
        .findFirst()
        .ifPresent(name -> {
          throw new ParameterException(spec.commandLine(), text(name, when) + ".");
        });
  }

  /**
   * {@return a warning for each option that was given, where another program's command line must
   * keep working}
   *
   * @param when why they have no effect
   */
  public static List<String> warnings(CommandSpec spec, String when, List<String> names) {
    return given(spec, names).map(name -> text(name, when)).toList();
  }

  private static Stream<String> given(CommandSpec spec, List<String> names) {
    ParseResult given = spec.commandLine().getParseResult();
    return names.stream().filter(name -> given != null && given.hasMatchedOption(name));
  }

  private static String text(String name, String when) {
    return name + " has no effect " + when;
  }
}
