import { Button, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { drawingOf, type SignatureGiven, signatureProblems } from '#kernel/signature.ts'
import { ApiError, call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { idempotencyKeys } from '#web/forms/idempotency.ts'
import { firstMessages, SignatureForm } from '#web/forms/inputs/signature-form.tsx'
import { noSignature } from '#web/forms/inputs/signature-pad.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { say, sentence } from '#web/ui/say.ts'
import { OfflineNotice } from '#web/ui/states.tsx'
import { document, signature } from '../kinds/document.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { type DocumentRecord, titleOf, useRefresh } from '../kinds/record.web.ts'
import css from './signing.module.css'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Opens the pad; on a phone it fills the screen. */
export function SignButton({ kind, record, variant }: Props & { readonly variant: string }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button variant={variant} leftSection={<IconSignature size={18} aria-hidden />} onClick={() => setOpened(true)}>
        Sign
      </Button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Sign ${record.documentNumber} revision ${record.revision}`}
        size="40rem"
      >
        <SignForm kind={kind} record={record} onClose={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

type Who = 'me' | 'other' | 'behalf'

function SignForm({ kind, record, onClose }: Props & { readonly onClose: () => void }) {
  const me = useMe()
  const [who, setWho] = useState<Who>(me.isImpersonating ? 'other' : 'me')
  const [given, setGiven] = useState<SignatureGiven>({ ...noSignature, name: me.name })
  const [person, setPerson] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [said, setSaid] = useState<string>()
  const sign = useSign(kind, record)
  const statement = `I have read and understood this ${kind.noun}.`
  const choose = (next: Who) => {
    setWho(next)
    setWrong({})
    setGiven({ ...noSignature, method: given.method, name: next === 'other' ? '' : me.name })
  }
  const submit = async (another: boolean) => {
    const all = [
      ...(who === 'behalf' && !person.trim()
        ? [{ propertyPath: 'person', message: 'Please enter the name of the person you sign for' }]
        : []),
      ...signatureProblems(given),
    ]
    setWrong(firstMessages(all))
    if (all.length) return
    const { name } = given
    try {
      await sign.mutateAsync({
        name: who === 'behalf' ? person.trim() : name.trim(),
        byName: who === 'behalf' ? name.trim() : null,
        method: who === 'behalf' ? 'on behalf' : given.method,
        strokes: drawingOf(given),
        mine: who === 'me',
        statement,
      })
    } catch (e) {
      if (e instanceof ApiError && e.violations.length) setWrong(firstMessages(e.violations))
      return
    }
    const signed = who === 'behalf' ? person.trim() : name.trim()
    sign.reset()
    if (!another) {
      say.told(`${signed} has signed ${record.documentNumber}`, 'safe')
      return onClose()
    }
    setSaid(`${signed} has signed. Hand it to the next person.`)
    setPerson('')
    setWho('other')
    setGiven(noSignature)
  }
  return (
    <SignatureForm
      label={who === 'behalf' ? 'Your own signature' : 'Signature'}
      given={given}
      onChange={setGiven}
      wrong={{ name: wrong.name ?? wrong.byName, strokes: wrong.strokes }}
      busy={sign.isPending}
      begun={(given.strokes.length > 0 || person !== '') && sign.isIdle}
      told={said}
      failure={sign.isError ? sentence(sign.error) : undefined}
      padClass={css.pad}
      onSubmit={() => void submit(false)}
      actions={
        <>
          <Button variant="default" onClick={onClose} {...(who === 'other' ? { visibleFrom: 'sm' } : {})}>
            {said ? 'Done' : 'Cancel'}
          </Button>
          {who === 'other' && (
            <Button variant="default" loading={sign.isPending} onClick={() => void submit(true)}>
              Sign, then next
            </Button>
          )}
          <Button type="submit" loading={sign.isPending}>
            Sign
          </Button>
        </>
      }
    >
      <OfflineNotice>You are offline. Keep the page open: signing waits for the connection.</OfflineNotice>
      <Text className={css.statement ?? ''}>
        <strong>{titleOf(kind, record)}</strong>
        {statement}
      </Text>
      <SegmentedControl
        aria-label="Who signs"
        fullWidth
        className={css.who ?? ''}
        value={who}
        onChange={(next) => choose(next as Who)}
        data={[
          { value: 'me', label: 'I sign', disabled: me.isImpersonating },
          { value: 'other', label: 'Somebody here' },
          { value: 'behalf', label: 'For somebody' },
        ]}
      />
      {who === 'behalf' && (
        <TextInput
          label="On behalf of (Required)"
          description="Who can’t sign, and has been told what it says. Both names are kept."
          maxLength={255}
          value={person}
          error={wrong.person}
          onChange={(e) => setPerson(e.currentTarget.value)}
        />
      )}
    </SignatureForm>
  )
}

function useSign(kind: DocumentKind, record: DocumentRecord) {
  const refresh = useRefresh(kind)
  const keys = useMemo(() => idempotencyKeys(), [])
  return useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) => {
      const body = { document: `${document.url}/${record.id}`, ...values }
      return call<unknown>('POST', signature.url, body, { idempotencyKey: keys.keyFor(body) })
    },
    onSuccess: () => refresh(),
  })
}
