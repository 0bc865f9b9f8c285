/**
 * Mails by the binding `send_email`. What stands in its place on this machine takes anything: what Cloudflare would refuse is
 * told by a worker in its place, as Cloudflare's documentation has it.
 */
