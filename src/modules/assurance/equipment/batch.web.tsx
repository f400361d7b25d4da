import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { callApi, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useSingleFlight } from '#web/ui/use-single-flight.ts'
import { assuranceNav, equipmentItemPath } from '../nav.ts'
import { equipmentCheck, type RequiredCheck, requiredCheck } from './check.ts'
import css from './equipment.module.css'
import { type EquipmentItem, equipmentItem } from './item.ts'
import { type LabelledItem, OTHER_COMPANY_LABEL, parseLabel } from './label.ts'

const CheckDialog = lazyComponent(() => import('./check-dialog.web.tsx'))

interface Members<T> {
  readonly 'hydra:member': readonly T[]
}

interface Chosen {
  readonly item: EquipmentItem
  readonly required: readonly RequiredCheck[]
}

/** Check of this batch, for the list on the screen. */
interface DoneLine {
  readonly n: number
  readonly line: string
}

/** Returns the item of a label or with a number, and its required checks. */
async function findItem(typed: string, label: LabelledItem | undefined): Promise<Chosen | undefined> {
  const item = label
    ? await callApi<EquipmentItem>('GET', `${equipmentItem.url}/${label.id}`)
    : (await callApi<Members<EquipmentItem>>('GET', `${equipmentItem.url}${queryString({ number: typed })}`))[
        'hydra:member'
      ][0]
  if (!item) return undefined
  const found = await callApi<Members<RequiredCheck>>(
    'GET',
    `${requiredCheck.url}${queryString({ item: item.id, retired: 'false' })}`,
  )
  return { item, required: found['hydra:member'] }
}

/** Checks many items one after the other: scan or type a number, and record the result. Each check is saved at once. */
export default function BatchCheck() {
  const { clientId } = useActor()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Chosen>()
  const [failing, setFailing] = useState<RequiredCheck>()
  const [wrong, setWrong] = useState('')
  const [done, setDone] = useState<readonly DoneLine[]>([])
  const next = (line: string) => {
    setDone((lines) => [{ n: lines.length + 1, line }, ...lines])
    setChosen(undefined)
    setFailing(undefined)
    setTyped('')
    void queries.invalidateQueries({ queryKey: [equipmentItem.url] })
    input.current?.focus()
  }
  const find = useSingleFlight(async () => {
    setWrong('')
    setChosen(undefined)
    // A scanner types the address of a label. In another company, its ID names another item.
    const label = parseLabel(typed.trim())
    if (label && label.clientId !== clientId) return setWrong(OTHER_COMPANY_LABEL)
    try {
      const found = await findItem(typed.trim(), label)
      if (found) setChosen(found)
      else setWrong(`No item has the number ${typed.trim()}.`)
    } catch (e) {
      setWrong(errorSentence(e))
    }
  })
  const pass = useMutation({
    networkMode: 'always',
    mutationFn: async ({ item, id, name }: { item: EquipmentItem; id: string; name: string }) => {
      const sent = await sendOrQueue(
        'POST',
        equipmentCheck.url,
        { item: item['@id'], requiredCheck: id, checkedOn: londonToday(), result: 'passed' },
        { description: { what: `${item.number}: ${name}`, at: equipmentItemPath(item.id), about: [item['@id']] } },
      )
      next(
        `${item.number} ${item.name}: ${name}, ${sent === QUEUED_RESULT ? 'passed, waits on this device' : 'passed'}`,
      )
    },
    onError: (e) => setWrong(errorSentence(e)),
  })
  return (
    <Page
      title="Batch check"
      back={{ label: 'Equipment', to: assuranceNav.equipment.path }}
      about="Scan a label or type a number, then record the result. Each check is saved at once."
    >
      <form
        onSubmit={(e: FormEvent) => {
          e.preventDefault()
          void find()
        }}
      >
        <Group align="end">
          <TextInput
            ref={input}
            label="Number or scanned label"
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" disabled={!typed.trim()}>
            Find
          </Button>
        </Group>
      </form>
      {wrong && <FormErrorText>{wrong}</FormErrorText>}
      {chosen && (
        <Stack gap="sm">
          <Text fw={600}>{`${chosen.item.number} ${chosen.item.name}`}</Text>
          {!chosen.required.length && <Alert color="yellow">This item has no required checks.</Alert>}
          {chosen.required.map((one) => (
            <Group key={one.id} gap="xs">
              <Text>{one.name}</Text>
              {!one.form && (
                <Button
                  aria-label={`Passed: ${one.name}`}
                  loading={pass.isPending}
                  onClick={() => pass.mutate({ item: chosen.item, id: one['@id'], name: one.name })}
                >
                  Passed
                </Button>
              )}
              <Button variant="default" aria-label={`Other result: ${one.name}`} onClick={() => setFailing(one)}>
                {one.form ? 'Complete the form' : 'Failed'}
              </Button>
            </Group>
          ))}
        </Stack>
      )}
      {done.length > 0 && (
        <section aria-label="Recorded">
          <h2>{`Recorded (${done.length})`}</h2>
          <ol className={css.done}>
            {done.map(({ n, line }) => (
              <li key={n}>{line}</li>
            ))}
          </ol>
        </section>
      )}
      {chosen && failing && (
        <CheckDialog
          item={chosen.item}
          required={failing}
          onClose={() => setFailing(undefined)}
          onSaved={() => next(`${chosen.item.number} ${chosen.item.name}: ${failing.name}, recorded`)}
        />
      )}
    </Page>
  )
}
