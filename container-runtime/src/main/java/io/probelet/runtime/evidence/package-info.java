/**
 * What the kernel says about a container: its control group and its processes. Pod authors choose
 * how many processes, threads, sockets and open files there are, and their names. So everything is
 * read up to a limit, and a name is never evidence.
 */
@NullMarked
package io.probelet.runtime.evidence;

import org.jspecify.annotations.NullMarked;
