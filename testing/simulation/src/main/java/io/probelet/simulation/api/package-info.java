/**
 * An API server in memory: objects, versions, watches and conflicts as kube-apiserver has them, in
 * virtual time, reached over fabric8's HTTP client and under faults on demand.
 *
 * <pre>
 *   ApiServer, ResourceWatch, fabric8 ── HttpClient ──▶ Exchange ── latency, faults ──▶ RequestHandler
 *                                                                                        │
 *                        WatchStream ◀── changes ── ObjectStore ◀── ObjectWrites ◀───────┘
 * </pre>
 */
@NullMarked
package io.probelet.simulation.api;

import org.jspecify.annotations.NullMarked;
