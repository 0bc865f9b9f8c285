/** `Promise.withResolvers`, which workerd has, and Node from 22 on. */
Promise.withResolvers ??= <T>() => {
  const settle = {} as PromiseWithResolvers<T>;
  settle.promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return settle;
};
