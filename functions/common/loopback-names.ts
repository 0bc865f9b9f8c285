/** The names of this machine for itself, as an address has them. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
