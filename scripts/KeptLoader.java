import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Has each javac that Maven runs in its own JVM take Error Prone from one class loader. Otherwise
 * each of some thirty loads it anew, and the JVM interprets, checks and compiles it anew, which
 * takes more than half of the time of a small module. javac has an option for that, -XDprocloader,
 * which it does not see where it is called by its API, as Maven does; so, as an agent of the JVM,
 * this puts the option's value in.
 *
 * <p>Each thread has a loader of its own: what Error Prone remembers of a run of javac, it
 * remembers of one at a time.
 */
public final class KeptLoader extends ClassLoader {
  private static final String MANAGER = "com/sun/tools/javac/file/BaseFileManager";

  private static final Map<String, ClassLoader> KEPT = new ConcurrentHashMap<>();

  /** As javac calls it. */
  public KeptLoader(URL[] path, ClassLoader parent) {
    super(
        KEPT.computeIfAbsent(
            Thread.currentThread().threadId() + " " + Arrays.toString(path),
            _ -> new URLClassLoader(path, parent)));
  }

  /** As the JVM calls it before Maven. */
  public static void premain(String arguments, Instrumentation jvm) throws Exception {
    ClassFileTransformer choosing =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> old,
              ProtectionDomain domain,
              byte[] bytes) {
            return name.equals(MANAGER) ? choosing(bytes) : null;
          }
        };
    jvm.addTransformer(choosing);
    Class.forName(MANAGER.replace('/', '.'));
    jvm.removeTransformer(choosing);
  }

  /** In getClassLoader(URL[]), options.get("procloader") becomes the name of this class. */
  private static byte[] choosing(byte[] bytes) {
    CodeTransform named =
        (code, element) -> {
          if (element instanceof InvokeInstruction call
              && call.owner().asInternalName().equals("com/sun/tools/javac/util/Options")
              && call.name().equalsString("get")
              && call.type().equalsString("(Ljava/lang/String;)Ljava/lang/String;")) {
            code.pop().pop().ldc(KeptLoader.class.getName());
          } else {
            code.with(element);
          }
        };
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethodBodies(
            method ->
                method.methodName().equalsString("getClassLoader")
                    && method.methodType().equalsString("([Ljava/net/URL;)Ljava/lang/ClassLoader;"),
            named));
  }
}
