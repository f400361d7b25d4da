import { Anchor, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { idFromAnyIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { isPersonName, type SignatureValue, signatureProblems, toDrawingRequestBody } from '#kernel/signature.ts'
import { canSealPin, PIN_DIGITS, sealSigningPin } from '#modules/identity/profile/signing-pin.ts'
import { SigningPinInput } from '#modules/identity/profile/signing-pin.web.tsx'
import { ApiError, type Collection, callApi } from '#web/api/client.ts'
import { useMaybeMe } from '#web/api/me.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { firstMessageByField } from '#web/forms/inputs/signature-form.tsx'
import { EMPTY_SIGNATURE, SignaturePad } from '#web/forms/inputs/signature-pad.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { OfflineNotice } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { UploadUrlContext } from '#web/uploads/fetch.ts'
import { document, type OpenedPart } from '../types/document.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentPart, type LinkSignatureReceipt, MAX_SIGNATORY_LENGTHS } from './hand-words.ts'
import { DocumentPartSheet, PartList, type PartSource } from './parts.web.tsx'
import { openedParts, useReadProgressOf } from './read-progress.web.ts'

interface Props extends Omit<FormProps, 'onRefused' | 'said' | 'onSaid' | 'body' | 'document'> {
  /** Token of the link. */
  readonly token: string
  /** Components of the document's type. */
  readonly parts: DocumentTypeComponents
  /** ID of the document to read. */
  readonly document: number
  /** Name of the document in a sentence, such as `the talk`. */
  readonly called: string
  /** True if everything to which the document refers is read as well. */
  readonly whole?: boolean
  /** Returns the fields of the request body other than the signature. `opened`: parts read to the end. */
  readonly body: (opened: readonly OpenedPart[]) => object
}

/** A document that the holder of a link reads to its end, then signs by hand. */
export function ReadAndSign({ token, parts, document: id, called, whole = false, body, ...form }: Props) {
  const { at, company } = form
  const me = useMaybeMe()
  const queries = useQueryClient()
  const [clientId, linkId] = token.split('-')
  // The secret, the last part of the token, is not stored in the browser.
  const { progress, add } = useReadProgressOf(`link ${parts.kind.kind} ${clientId} ${linkId} ${id}`)
  const iri = iriOf(document, id)
  const source = useMemo((): PartSource => {
    const file = (one: string) => `${at}/files/${idFromAnyIri(one) ?? 0}/file`
    return { part: (part) => `${at}/parts/${part}`, file, ask: company, company }
  }, [at, company])
  const urlOf = useMemo(() => (one: string) => `${at}/files/${idFromAnyIri(one) ?? 0}`, [at])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // The names stay while another revision is read.
  const [said, setSaid] = useState({ name: '', company: '', trade: '' })
  const found = useQuery({
    queryKey: [`${at}/parts`, id],
    queryFn: ({ signal }) => callApi<Collection<DocumentPart>>('GET', `${at}/parts`, undefined, { signal }),
    enabled: whole,
    meta: { persist: false },
  })
  const others = whole ? found.data?.['hydra:member'] : []
  const left = others?.filter((part) => part.readable && !progress[part['@id']]?.ended)
  const isRead = progress[iri]?.ended && left?.length === 0
  const self = { '@id': iri, name: called, readable: true }
  return (
    <>
      <UploadUrlContext value={urlOf}>
        <div className={page.card}>
          <DocumentPartSheet
            parts={parts}
            source={source}
            part={{ '@id': iri, name: called, kind: parts.kind.kind }}
            onRead={(more) => add(iri, more)}
          />
        </div>
        {whole && (found.error || (others && others.length > 0)) && (
          <PartList
            {...{ parts, source, all: others, error: found.error, progress, open }}
            onOpen={setOpen}
            onRead={add}
            onRetry={() => void found.refetch()}
          />
        )}
      </UploadUrlContext>
      <section className={page.card} aria-labelledby="sign">
        <h2 id="sign">Sign</h2>
        {me && String(me.client.id) === clientId ? (
          <Text>
            {`You are signed in to the portal. Please sign ${called} under your own account. `}
            <Anchor component={Link} to="/dashboard">
              Open the portal
            </Anchor>
          </Text>
        ) : isRead ? (
          <LinkSignatureForm
            {...form}
            document={id}
            said={said}
            onSaid={setSaid}
            body={body(openedParts([self, ...(others ?? [])], progress))}
            onRefused={() => void queries.invalidateQueries({ queryKey: [at] })}
          />
        ) : (
          <Text role="status">
            {left?.length
              ? `Read ${called} and the documents and files in it to the end (${left.length} left). Then you can sign here.`
              : `Read ${called} to the end. Then you can sign here.`}
          </Text>
        )}
      </section>
    </>
  )
}

interface FormProps {
  /** URL of the link in the API. */
  readonly at: string
  /** Statement that the signatory confirms. */
  readonly statement: string
  /** Company that receives the signature. */
  readonly company: string
  /** People on the list who have not signed; empty if there is no list. */
  readonly people: readonly { readonly id: number; readonly name: string }[]
  /** Key for which a listed person with an account seals their signing PIN; null or undefined if none is required. */
  readonly pinKey?: string | null
  /** ID of the document that was read. */
  readonly document: number
  /** True if the signatory’s trade is asked for. */
  readonly asksTrade: boolean
  /** Name, company and trade of a person who is not on a list. */
  readonly said: Readonly<Record<'name' | 'company' | 'trade', string>>
  readonly onSaid: (said: { name: string; company: string; trade: string }) => void
  /** Fields of the request body besides the signature. */
  readonly body: object
  readonly onSigned?: () => void
  /** Loads the list again after an error. */
  readonly onRefused: () => void
}

const NOT_LISTED = 'new'

/** Form with which the holder of a link signs by hand, then the confirmation. */
function LinkSignatureForm(props: FormProps) {
  const { at, statement, company: ours, people, asksTrade, said, onSaid, body, onSigned, onRefused } = props
  const { pinKey, document: read } = props
  const [chosen, setChosen] = useState('')
  const [given, setGiven] = useState<SignatureValue>(EMPTY_SIGNATURE)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const person = people.find(({ id }) => String(id) === chosen)
  const isNew = !people.length || chosen === NOT_LISTED
  const [pin, setPin] = useState('')
  const showsPin = Boolean(pinKey && person)
  const sealPin = (name: string, strokes: unknown) =>
    pinKey && pin ? sealSigningPin(pinKey, pin, { user: null, name, document: read, record: null, strokes }) : undefined
  const send = useMutation({
    mutationFn: async () => {
      const strokes = toDrawingRequestBody(given)
      const signatory = person
        ? { attendee: person.id, name: person.name, pin: await sealPin(person.name, strokes) }
        : { ...said, ...(asksTrade ? {} : { trade: undefined }) }
      return callApi<LinkSignatureReceipt>('POST', `${at}/sign`, { ...signatory, strokes, ...body })
    },
    onSuccess: () => onSigned?.(),
    onError: (e) => {
      if (e instanceof ApiError) setWrong(firstMessageByField(e.violations))
      setPin('')
      onRefused()
    },
  })
  const guard = useUnsavedChangesGuard(given.strokes.length > 0 && !send.isPending && !send.isSuccess)
  if (send.data) return <Confirmation receipt={send.data} statement={statement} company={ours} />
  const submit = (e: FormEvent) => {
    e.preventDefault()
    const named = { ...given, name: person?.name ?? said.name }
    const found: Record<string, string> = {
      ...firstMessageByField(signatureProblems(named, true)),
      ...(isNew && !said.company.trim() ? { company: 'Please enter your company' } : {}),
      ...(isNew && !isPersonName(said.name) ? { name: 'Please enter your full name' } : {}),
      ...(showsPin && pin && pin.length < PIN_DIGITS ? { pin: `Please enter your PIN of ${PIN_DIGITS} digits` } : {}),
      ...(showsPin && pin && !canSealPin()
        ? { pin: 'A PIN can’t be encrypted here. Please open the portal at its https address' }
        : {}),
    }
    if (!isNew && !person) {
      delete found.name
      found.chosen = 'Please choose your name'
    }
    setWrong(found)
    if (!Object.keys(found).length) send.mutate()
  }
  const field = (name: 'name' | 'company' | 'trade', label: string, autoComplete: string) => (
    <TextInput
      label={label}
      autoComplete={autoComplete}
      maxLength={MAX_SIGNATORY_LENGTHS[name]}
      value={said[name]}
      error={wrong[name]}
      onChange={(e) => onSaid({ ...said, [name]: e.currentTarget.value })}
    />
  )
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <OfflineNotice>You are offline. Please sign when the connection is back.</OfflineNotice>
        <Text>{`By signing you confirm: “${statement}”`}</Text>
        {people.length > 0 && (
          <NativeSelect
            label="Your name (Required)"
            value={chosen}
            error={wrong.chosen}
            onChange={(e) => {
              setChosen(e.currentTarget.value)
              setPin('')
              setWrong({})
            }}
            data={[
              { value: '', label: 'Choose your name' },
              ...people.map(({ id, name }) => ({ value: String(id), label: name })),
              { value: NOT_LISTED, label: 'My name is not on this list' },
            ]}
          />
        )}
        {isNew && field('name', 'Full name (Required)', 'name')}
        {isNew && field('company', 'Company (Required)', 'organization')}
        {isNew && asksTrade && field('trade', 'Trade', 'organization-title')}
        <SignaturePad
          label="Your signature"
          value={given}
          onChange={setGiven}
          errors={{ strokes: wrong.strokes }}
          readOnly={send.isPending}
          known
          drawn
        />
        {showsPin && (
          <SigningPinInput
            label="Signing PIN"
            description="Enter it if you have an account here. Leave it empty if you have none."
            value={pin}
            error={wrong.pin}
            disabled={send.isPending}
            onChange={setPin}
          />
        )}
        <Text size="sm">
          {`${ours} stores your name, your signature and the time. The record states that you signed by link, on your own device.`}
        </Text>
        {send.isError && (
          <FormErrorText>{`Your signature has not been saved. ${Object.keys(wrong).length ? 'Please correct the marked fields.' : errorSentence(send.error)}`}</FormErrorText>
        )}
        {guard}
        <div className={page.buttons}>
          <Button type="submit" size="md" loading={send.isPending}>
            Sign
          </Button>
        </div>
      </Stack>
    </form>
  )
}

interface ConfirmationProps extends Pick<FormProps, 'statement' | 'company'> {
  readonly receipt: LinkSignatureReceipt
}

/** Confirmation of the saved signature. Receives the focus, because the form that had it is gone. */
function Confirmation({ receipt, statement, company }: ConfirmationProps) {
  const words = useRef<HTMLDivElement>(null)
  useEffect(() => words.current?.focus(), [])
  return (
    <div ref={words} tabIndex={-1} role="status">
      <Stack gap="sm">
        <Text fw={650}>{`${receipt.name}, your signature has been saved.`}</Text>
        <Text>{`You signed on ${formatIsoAsUkDateTime(receipt.signedAt)}: “${statement}”`}</Text>
        <Text>{`${company} has your signature. You can close this page.`}</Text>
      </Stack>
    </div>
  )
}
