/** This machine's own host names, as a URL has them. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
