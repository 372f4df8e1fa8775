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
   * Refuses all options that were given but for some.
   *
   * @param when why they have no effect, such as "without --cluster"
   * @param effective names of those that have one
   * @throws ParameterException if another one was given
   */
  public static void refuseOthers(CommandSpec spec, String when, List<String> effective) {
    spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> Stream.of(option.names()).noneMatch(effective::contains))
        .findFirst()
        .ifPresent(option -> {
          throw new ParameterException(spec.commandLine(), text(option.longestName(), when) + ".");
        });
  }

  /**
   * {@return a warning for each option that was given, for command lines of other programs that are
   * to go on working}
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
