import { Button } from '@mantine/core'
import { Component, type ComponentType, createElement, type FunctionComponent, lazy } from 'react'
import { ErrorText } from './error-text.tsx'
import { toast } from './toast.ts'

/** Error for a component whose file could not be loaded. */
class NotHere extends Error {}

const wordsNow = () =>
  navigator.onLine
    ? 'This part of the page could not be loaded. Nothing you typed is affected; please try again.'
    : 'No connection: this part of the page is not on your device yet. Nothing you typed is affected.'

interface Closable {
  readonly opened?: boolean
  readonly onClose?: () => void
}

/**
 * Returns a component that is loaded from its own file on first render. If loading fails, the page and all input are
 * retained. A component with `onClose` is closed, and the message is shown as a toast. All others show the message and
 * a Retry button in place, or nothing if `missing` is `silent`. They retry once the device is online.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<{ readonly default: FunctionComponent<P> }>,
  missing: 'said' | 'silent' = 'said',
): ComponentType<P> {
  const ask = () =>
    lazy(async () => {
      try {
        return await load()
      } catch (cause) {
        throw new NotHere(wordsNow(), { cause })
      }
    }) as ComponentType<P>
  // A React.lazy component that has failed never recovers, so another attempt needs a new component.
  let Part = ask()

  return class Lazily extends Component<P, { readonly error?: unknown }> {
    override state: { readonly error?: unknown } = {}
    static getDerivedStateFromError = (error: unknown) => ({ error })

    private readonly again = () => {
      if (this.state.error instanceof NotHere) this.setState({ error: undefined })
    }

    override componentDidMount() {
      addEventListener('online', this.again)
    }

    override componentWillUnmount() {
      removeEventListener('online', this.again)
    }

    override componentDidCatch(error: Error) {
      if (!(error instanceof NotHere)) return
      Part = ask()
      const { onClose } = this.props as Closable
      if (!onClose) return
      toast.info(error.message, 'stop')
      onClose()
    }

    override componentDidUpdate(before: P) {
      if ((this.props as Closable).opened && !(before as Closable).opened) this.again()
    }

    override render() {
      const { error } = this.state
      if (error === undefined) return createElement(Part, this.props)
      if (!(error instanceof NotHere)) throw error
      if (missing === 'silent' || 'onClose' in this.props) return null
      return (
        <div>
          <ErrorText>{error.message}</ErrorText>
          <Button variant="default" mt="xs" onClick={this.again}>
            Retry
          </Button>
        </div>
      )
    }
  }
}
