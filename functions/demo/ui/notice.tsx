/** A message about what the user does: read out when it appears. */
import type { ReactNode } from 'react';

interface NoticeProps {
  kind: 'info' | 'warning' | 'error' | 'good';
  children: ReactNode;
}

export const Notice = ({ kind, children }: NoticeProps) => (
  <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </div>
);
