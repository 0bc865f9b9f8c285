/** Shows a sentence in place of a part of the page that failed. The error is in the browser's console. */
import { Component, type ReactNode } from 'react';
import { Notice } from './notice.tsx';

export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? (
      <main className="page">
        <Notice kind="error">
          This page has failed. What you typed stays on this device. <a href="/demo">Load it again</a>
        </Notice>
      </main>
    ) : (
      this.props.children
    );
  }
}
