/**
 * Lets `fetch` close a connection that has been idle for a second. workerd closes it after five, and a request that is on
 * its way then fails: undici's own four seconds can be more than that on a busy machine.
 */
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ keepAliveTimeout: 1000 }));
