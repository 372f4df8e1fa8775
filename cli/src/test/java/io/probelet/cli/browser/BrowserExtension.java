package io.probelet.cli.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives a test a tab of its own, in the one browser that is there until all tests are over. */
final class BrowserExtension implements ParameterResolver {
  private static final Namespace SPACE = Namespace.create(BrowserExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == BrowserTab.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    assumeTrue(Chromium.isInstalled(), "chromium is not installed: no page is tried in a browser");
    Shared shared =
        context
            .getRoot()
            .getStore(SPACE)
            .getOrComputeIfAbsent(Shared.class, _ -> new Shared(), Shared.class);
    BrowserTab tab = shared.browser.open();
    context.getStore(SPACE).put(tab, tab);
    return tab;
  }

  private static final class Shared implements AutoCloseable {
    private final Chromium browser;

    Shared() {
      try {
        browser = Chromium.start();
      } catch (Exception failed) {
        throw new IllegalStateException("chromium does not start", failed);
      }
    }

    @Override
    public void close() throws IOException {
      browser.close();
    }
  }
}
