/** Catches what throws while it is drawn, so that one part's mistake leaves no blank page. */

import { Component, type ReactNode } from 'react'
import { useRuntime } from '../../react/runtime-context.tsx'
import { Icon } from './icon.tsx'
import { useMessages } from './use-messages.ts'

export type BoundaryProps = {
  children: ReactNode
  /** A change of it draws the content anew, as another page does. Default: none. */
  of?: unknown
  /** Whether it holds the whole page, so that its heading is the page's. Default: false. */
  isPage?: boolean
}

type State = { readonly error: Error | null; readonly of: unknown }

/**
 * Draws its children; if one throws while it is drawn in the browser, draws in their place what
 * happened, and a button that tries again. The error is logged.
 *
 * @example
 * <Boundary>
 *   <Chart id={components.chart} />
 * </Boundary>
 */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { error: null, of: this.props.of }

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: State): Partial<State> | null {
    return of === state.of ? null : { error: null, of }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <DrawingFailure
        error={error}
        Heading={this.props.isPage ? 'h1' : 'h2'}
        onAgain={() => this.setState({ error: null })}
      />
    )
  }
}

type DrawingFailureProps = { error: Error; Heading: 'h1' | 'h2'; onAgain(): void }

function DrawingFailure({ error, Heading, onAgain }: DrawingFailureProps) {
  const { failures } = useMessages()
  const { reload } = useRuntime()
  return (
    <section className="undrawn" role="alert">
      <Heading>
        <Icon name="warning" /> {failures.drawingTitle}
      </Heading>
      <p>{failures.drawingText}</p>
      <p>
        <code>{error.message}</code>
      </p>
      <p className="acts">
        <button type="button" className="btn main" onClick={onAgain}>
          {failures.tryAgain}
        </button>
        <button type="button" className="btn" onClick={reload}>
          {failures.reload}
        </button>
      </p>
    </section>
  )
}
