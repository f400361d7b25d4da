import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { Button, Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Resource } from '#kernel/resource.ts'
import { ApiError, type QueryParams } from '../api/client.ts'
import { RemoteSelect } from '../forms/remote-select.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FormErrorText } from '../ui/error-text.tsx'
import { errorSentence } from '../ui/toast.ts'

/** New owner of the leads, as sent when saving. */
type HandedOver = { readonly handTo?: string | null; readonly handToTeam?: boolean }

interface HandOverProps {
  readonly name: string
  /** Description of the person's leads, from the server. */
  readonly left: string
  readonly save: Save<unknown>
  readonly over: (saved: unknown) => void
}

type Save<T> = (said: HandedOver) => Promise<T>

interface From {
  /** Resource of the possible new owners: accounts or staff records. */
  readonly target: Resource
  /** Query parameters that restrict the new owners to people who work on leads. */
  readonly params: QueryParams
}

/**
 * Returns a dialog and a function that saves a person's departure: `const [dialog, leave] = useLeadHandOver({…})`.
 * Render `dialog`, and call `await leave(name, save)`. If the person has leads, the dialog asks who takes them over.
 * The function resolves to the saved record, or to `undefined` if the dialog was cancelled. Any error other than
 * `leads_left` is thrown.
 */
export function useLeadHandOver(
  from: From,
): readonly [ReactNode, <T>(name: string, save: Save<T>) => Promise<T | undefined>] {
  const [asked, setAsked] = useState<HandOverProps>()
  const [opened, setOpened] = useState(false)
  const leave = async <T,>(name: string, save: Save<T>): Promise<T | undefined> => {
    try {
      return await save({})
    } catch (e) {
      if (!(e instanceof ApiError && e.code === 'leads_left')) throw e
      return new Promise((over) => {
        setAsked({ name, left: e.message, save, over: (saved) => over(saved as T | undefined) })
        setOpened(true)
      })
    }
  }
  const close = (saved?: unknown) => {
    setOpened(false)
    asked?.over(saved)
  }
  const dialog = (
    <Dialog opened={opened} onClose={() => close()} title={`Hand over ${asked?.name}’s leads`} size="32rem">
      {asked && <HandOver key={asked.name} {...from} {...asked} onClose={close} />}
    </Dialog>
  )
  return [dialog, leave]
}

function HandOver({
  target,
  params,
  left,
  save,
  onClose,
}: From & HandOverProps & { readonly onClose: (saved?: unknown) => void }) {
  const [way, setWay] = useState('person')
  const [heir, setHeir] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const submit = async () => {
    if (way === 'person' && !heir) return setError('Choose a colleague to take over the leads')
    setBusy(true)
    setError('')
    try {
      onClose(await save(way === 'person' ? { handTo: heir } : { handToTeam: true }))
    } catch (e) {
      setError(errorSentence(e))
    }
    setBusy(false)
  }
  return (
    <Stack gap="md">
      <Text>{left} The hand-over takes effect immediately and is recorded in each lead’s notes.</Text>
      <Radio.Group aria-label="New owner of the leads" value={way} onChange={setWay}>
        <Stack gap="sm">
          <Radio value="person" label="A colleague" />
          {way === 'person' && (
            <RemoteSelect
              target={target}
              aria-label="Colleague"
              placeholder="Search by name"
              params={params}
              value={heir}
              onChange={setHeir}
            />
          )}
          <Radio value="team" label="Unassigned: each lead will go to the next colleague who calls that lead" />
        </Stack>
      </Radio.Group>
      {error && <FormErrorText>{error}</FormErrorText>}
      <DialogActions>
        <Button variant="default" onClick={() => onClose()}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void submit()}>
          Hand over leads
        </Button>
      </DialogActions>
    </Stack>
  )
}
