package io.probelet.cli.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** One page of a browser, and all that it asked for and complained about. */
final class BrowserTab implements AutoCloseable {
  /** A window's width on a desk, in pixels; what a tab begins with. */
  static final int DESK = 1280;

  /** A narrow phone's. */
  static final int PHONE = 360;

  private static final int HEIGHT = 900;

  private static final Map<String, Integer> KEYS =
      Map.of("Tab", 9, "Enter", 13, "Escape", 27, "Backspace", 8, "ArrowUp", 38, "ArrowDown", 40);

  /** What a policy forbade is told to the page; Chromium's own log has it in words. */
  private static final String LISTEN =
      "window.refused = []; document.addEventListener('securitypolicyviolation',"
          + " e => window.refused.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));";

  /** What the browser answers when a page goes while it is asked. */
  private static final String NAVIGATED = "Inspected target navigated or closed";

  private final DevTools tools;
  private final String context;
  private final String target;
  private final String session;
  private final Queue<URI> requests = new ConcurrentLinkedQueue<>();
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

  BrowserTab(DevTools tools) {
    this.tools = tools;
    context =
        tools.ask("", "Target.createBrowserContext", Map.of()).path("browserContextId").asText();
    target =
        tools
            .ask(
                "",
                "Target.createTarget",
                Map.of("url", "about:blank", "browserContextId", context))
            .path("targetId")
            .asText();
    session =
        tools
            .ask("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .asText();
    tools.listen(session, this::happened);
    for (String domain : List.of("Page", "Runtime", "Network", "Log", "Performance")) {
      ask(domain + ".enable", Map.of());
    }
    ask("Page.addScriptToEvaluateOnNewDocument", Map.of("source", LISTEN));
    width(DESK);
  }

  private void happened(String event, JsonNode params) {
    switch (event) {
      case "Network.requestWillBeSent" ->
          requests.add(URI.create(params.path("request").path("url").asText()));
      case "Log.entryAdded" -> {
        if (params.path("entry").path("level").asText().equals("error")) {
          complaints.add(params.path("entry").path("text").asText());
        }
      }
      case "Runtime.exceptionThrown" ->
          complaints.add(params.path("exceptionDetails").path("exception").toString());
      case "Page.javascriptDialogOpening" ->
          complaints.add("a dialog: " + params.path("message").asText());
      default -> {
        // Nobody asked for it.
      }
    }
  }

  private JsonNode ask(String method, Map<String, ?> params) {
    return tools.ask(session, method, params);
  }

  /** Loads a page up to its end. */
  BrowserTab load(URI address) {
    JsonNode answer = ask("Page.navigate", Map.of("url", address.toString()));
    if (answer.has("errorText")) {
      throw new IllegalStateException(address + ": " + answer.path("errorText").asText());
    }
    until("document.readyState === 'complete' && location.href !== 'about:blank'");
    return this;
  }

  /** {@return what an expression is worth, when what it promises is there} */
  JsonNode eval(String expression) {
    JsonNode answer =
        ask(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  /** Waits until an expression is true, of this page or of the one that it gives way to. */
  void until(String expression) {
    patiently()
        .ignoreExceptionsMatching(failure -> failure.getMessage().contains(NAVIGATED))
        .until(() -> eval("!!(" + expression + ")").asBoolean());
  }

  static ConditionFactory patiently() {
    return Awaitility.await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(50));
  }

  /** {@return whether the first element with a text is wholly within the window} */
  boolean isOnScreen(String text) {
    return eval("(t => { const all = [...document.querySelectorAll('main *')]"
            + ".filter(e => e.textContent.includes(t) && e.checkVisibility());"
            + " const e = all.find(e => ![...e.children].some(c => c.textContent.includes(t)));"
            + " if (!e) return false; const r = e.getBoundingClientRect();"
            + " return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight })"
            + "('"
            + text
            + "')")
        .asBoolean();
  }

  /** {@return what the whole page says} */
  String text() {
    return eval("document.body?.innerText ?? ''").asText();
  }

  /** Presses a key: Tab, Enter, Escape, ArrowDown, a letter. */
  void press(String key, Modifier... modifiers) {
    int held = 0;
    for (Modifier each : modifiers) {
      held |= each.bit;
    }
    Map<String, Object> stroke = new LinkedHashMap<>();
    stroke.put("key", key);
    stroke.put("code", key.length() == 1 ? "Key" + key.toUpperCase(Locale.ROOT) : key);
    stroke.put("modifiers", held);
    Integer code = KEYS.get(key);
    if (code != null) {
      stroke.put("windowsVirtualKeyCode", code);
    }
    String typed = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
    stroke.put("type", typed.isEmpty() ? "rawKeyDown" : "keyDown");
    if (!typed.isEmpty()) {
      stroke.put("text", typed);
    }
    ask("Input.dispatchKeyEvent", stroke);
    stroke.remove("text");
    stroke.put("type", "keyUp");
    ask("Input.dispatchKeyEvent", stroke);
  }

  /** What is held down while another key is pressed. */
  enum Modifier {
    /** Alt. */
    ALT(1),
    /** Ctrl. */
    CONTROL(2),
    /** Shift. */
    SHIFT(8);

    private final int bit;

    Modifier(int bit) {
      this.bit = bit;
    }
  }

  /** Types into what has the focus. */
  void type(String text) {
    ask("Input.insertText", Map.of("text", text));
  }

  /** {@return how wide the page is, in pixels: more than its window if something is beside that} */
  int pageWidth() {
    return eval("document.documentElement.scrollWidth").asInt();
  }

  /** Makes the window so wide, in CSS pixels. */
  BrowserTab width(int pixels) {
    return size(pixels, HEIGHT);
  }

  BrowserTab size(int width, int height) {
    ask(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    return this;
  }

  /** Makes the user one who wants light on dark, or not. */
  BrowserTab dark(boolean dark) {
    ask(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    return this;
  }

  /** Lets the page run scripts, or not, from the next one on. */
  BrowserTab scripts(boolean run) {
    ask("Emulation.setScriptExecutionDisabled", Map.of("value", !run));
    return this;
  }

  /** Writes what is seen of the page, from its top, as a PNG. */
  void picture(Path file) throws IOException {
    JsonNode answer =
        ask("Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", false));
    Files.write(file, Base64.getDecoder().decode(answer.path("data").asText()));
  }

  /** {@return how long the page has kept its process busy so far} */
  Duration work() {
    for (JsonNode metric : ask("Performance.getMetrics", Map.of()).path("metrics")) {
      if (metric.path("name").asText().equals("TaskDuration")) {
        return Duration.ofNanos((long) (metric.path("value").asDouble() * 1e9));
      }
    }
    throw new IllegalStateException("the browser does not say how busy it was");
  }

  /** {@return everything that was asked for, by any page that was here} */
  List<URI> requests() {
    return List.copyOf(requests);
  }

  /** {@return what went wrong, and what this page's policy forbade, in the browser's words} */
  List<String> complaints() {
    eval("window.refused").forEach(each -> complaints.add("refused: " + each.asText()));
    eval("window.refused = []");
    return List.copyOf(complaints);
  }

  @Override
  public void close() {
    tools.forget(session);
    tools.ask("", "Target.disposeBrowserContext", Map.of("browserContextId", context));
  }
}
