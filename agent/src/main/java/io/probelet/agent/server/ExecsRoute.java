package io.probelet.agent.server;

import io.probelet.probe.runtime.ExecResult;
import io.probelet.web.api.ViewJson;
import io.probelet.web.http.PostResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/execs}: how a command has ended. */
final class ExecsRoute implements PostResource {
  private final PendingCommands commands;

  /**
   * The answer of a client.
   *
   * @param id of the Exec event
   * @param exitCode null if the command was still running at its timeout
   * @param output standard output and error
   */
  record Ended(@Nullable Long id, @Nullable Integer exitCode, @Nullable String output) {}

  ExecsRoute(PendingCommands commands) {
    this.commands = commands;
  }

  @Override
  public Answer post(byte[] body) {
    Ended ended;
    try {
      ended = ViewJson.read(body, Ended.class);
    } catch (IOException invalid) {
      return PodsRoute.refused(400, "not JSON with id, exitCode and output");
    }
    if (ended.id() == null) {
      return PodsRoute.refused(400, "id is required");
    }
    String output = ended.output() == null ? "" : ended.output();
    ExecResult result =
        ended.exitCode() == null
            ? new ExecResult.TimedOut(output)
            : new ExecResult.Exited(ended.exitCode(), output);
    return commands.answered(ended.id(), result)
        ? Answer.of(200, Resource.JSON, ViewJson.write(Map.of()) + "\n")
        : PodsRoute.refused(404, "no such command, or its answer came too late");
  }
}
