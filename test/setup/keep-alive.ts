/** Closes idle connections after 1 s: workerd does after 5, and undici's 4 can be more than that on a busy machine. */
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ keepAliveTimeout: 1000 }));
