import { Alert, Button, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconPhoneCall, IconSend } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ErrorText, FormErrorText } from '#web/ui/error-text.tsx'
import type { RequirableAnswer } from '../settings/required-answers.ts'
import { HARM_ANSWERS } from './harm-answers.ts'
import css from './phone.module.css'
import {
  findStepProblems,
  firstOpenStep,
  REPORT_STEPS,
  type ReportDraft,
  type Reporter,
  type ReportStep,
} from './report-draft.ts'

interface Props {
  readonly draft: ReportDraft
  readonly onChange: (values: Partial<ReportDraft>) => void
  readonly reporter: Reporter
  /** Sites to choose from; none for a visitor, whose site is that of the QR code. */
  readonly sites: readonly { readonly '@id': string; readonly name: string }[]
  /** Input for photos; undefined if photos can't be sent. */
  readonly photos?: ReactNode
  readonly photoCount: number
  /** Further answers that the company requires. */
  readonly required: readonly string[]
  readonly busy: boolean
  readonly error: string
  readonly onSend: () => void
}

/** Returns the local date and time, such as `2026-03-02T14:05`. */
const localNow = (): string => Temporal.Now.plainDateTimeISO().toString({ smallestUnit: 'minute' })

/** The questions of a report, one at a time. */
export function ReportSteps(props: Props) {
  const { draft, reporter, photos, photoCount, required, busy, error, onSend } = props
  const check = () => ({ reporter, now: localNow(), required, photoCount })
  const steps = REPORT_STEPS.filter((one) => one !== 'photos' || photos !== undefined)
  const [step, setStep] = useState<ReportStep>('what')
  const [wrong, setWrong] = useState<ReturnType<typeof findStepProblems>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])
  const place = steps.indexOf(step)
  const go = (to: ReportStep) => {
    setWrong({})
    setStep(to)
  }
  const next = () => {
    const found = findStepProblems(step, draft, check())
    setWrong(found)
    const following = steps[place + 1]
    if (!Object.keys(found).length && following) go(following)
  }
  const send = () => {
    const open = firstOpenStep(draft, check())
    if (!open) return onSend()
    setStep(open)
    setWrong(findStepProblems(open, draft, check()))
  }
  return (
    <>
      <Alert color="red" icon={<IconPhoneCall aria-hidden />} className={css.emergency ?? ''}>
        If anyone is badly hurt, call 999 first.
      </Alert>
      <section className={css.step} aria-labelledby="report-step">
        <Text size="sm" c="dimmed">{`Question ${place + 1} of ${steps.length}`}</Text>
        <h2 id="report-step" ref={heading} tabIndex={-1}>
          {titleOf(step, draft)}
        </h2>
        <Question {...props} step={step} wrong={wrong} />
        {error && <FormErrorText>{error}</FormErrorText>}
        <div className={css.actions}>
          <Button variant="default" disabled={place === 0} onClick={() => go(steps[place - 1] ?? 'what')}>
            Back
          </Button>
          {step === 'check' ? (
            <Button leftSection={<IconSend size={16} aria-hidden />} loading={busy} onClick={send}>
              Send report
            </Button>
          ) : (
            <Button onClick={next}>Next</Button>
          )}
        </div>
      </section>
    </>
  )
}

function titleOf(step: ReportStep, { nearMiss }: ReportDraft): string {
  const titles = {
    what: nearMiss ? 'What could have hurt a person?' : 'What happened?',
    where: 'Where was it?',
    when: 'When was it?',
    harm: nearMiss ? 'Was anybody involved?' : 'How bad was it, and who was hurt?',
    photos: 'Add photos',
    check: 'Check and send',
  }
  return titles[step]
}

type QuestionProps = Props & { readonly step: ReportStep; readonly wrong: ReturnType<typeof findStepProblems> }

function Question({ step, draft, onChange, reporter, sites, photos, wrong, photoCount, required }: QuestionProps) {
  const mark = (name: RequirableAnswer) => (required.includes(name) ? ' (Required)' : '')
  const text = (name: 'description' | 'internalLocation' | 'reportedBy' | 'contact' | 'injured') => ({
    name,
    value: draft[name],
    error: wrong[name],
    onChange: (e: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: e.currentTarget.value }),
  })
  if (step === 'what')
    return (
      <Textarea
        {...text('description')}
        label="Say it in your own words (Required)"
        description="What were people doing, and what went wrong? Leave out names here."
        autosize
        minRows={5}
        maxLength={4000}
      />
    )
  if (step === 'where')
    return (
      <>
        {sites.length > 0 && (
          <NativeSelect
            label="Site"
            name="site"
            value={draft.site}
            onChange={(e) => onChange({ site: e.currentTarget.value })}
            data={[
              { value: '', label: 'Choose a site' },
              ...sites.map((site) => ({ value: site['@id'], label: site.name })),
            ]}
          />
        )}
        <TextInput
          {...text('internalLocation')}
          label={`${reporter === 'visitor' ? 'Where exactly' : 'Where exactly, or the address'}${mark('place')}`}
          placeholder="For example: loading bay, second floor"
          maxLength={255}
        />
        <PositionButton draft={draft} onChange={onChange} />
      </>
    )
  if (step === 'when')
    return (
      <>
        <TextInput
          type="datetime-local"
          name="when"
          label="Date and time (Required)"
          value={draft.when}
          max={localNow()}
          error={wrong.when}
          onChange={(e) => onChange({ when: e.currentTarget.value })}
        />
        <Button variant="default" onClick={() => onChange({ when: localNow() })}>
          It happened just now
        </Button>
      </>
    )
  if (step === 'harm')
    return (
      <>
        {!draft.nearMiss && (
          <fieldset className={css.choices} aria-describedby={wrong.severity ? 'severity-error' : undefined}>
            <legend>How bad was it? (Required)</legend>
            {HARM_ANSWERS.map(({ value, label }) => (
              <label key={value} className={css.choice}>
                <input
                  type="radio"
                  name="severity"
                  checked={draft.severity === value}
                  onChange={() => onChange({ severity: value })}
                />
                {label}
              </label>
            ))}
            {wrong.severity && <ErrorText id="severity-error">{wrong.severity}</ErrorText>}
          </fieldset>
        )}
        {!draft.nearMiss && draft.severity !== 'none' && (
          <Textarea
            {...text('injured')}
            label={`Injured person${mark('injured')}`}
            description={
              required.includes('injured')
                ? 'One name or description on each line.'
                : 'One name on each line. Leave it empty if you don’t know.'
            }
            autosize
            minRows={2}
            maxLength={2000}
          />
        )}
        {draft.nearMiss && <Text>Nobody was hurt in a near miss. If anyone was, go back and report an accident.</Text>}
      </>
    )
  if (step === 'photos')
    return (
      <>
        {photos}
        {required.includes('photo') && photoCount === 0 && (
          <label className={css.choice}>
            <input
              type="checkbox"
              checked={draft.noPhoto}
              onChange={(e) => onChange({ noPhoto: e.currentTarget.checked })}
            />
            I can’t send a photo
          </label>
        )}
        {wrong.photos && <ErrorText>{`${wrong.photos}, or state that you can’t send one`}</ErrorText>}
      </>
    )
  return (
    <>
      <ReportSummary draft={draft} sites={sites} photoCount={photoCount} hasPhotos={photos !== undefined} />
      {reporter === 'visitor' && (
        <>
          <TextInput {...text('reportedBy')} label="Your name (Required)" autoComplete="name" maxLength={200} />
          <TextInput
            {...text('contact')}
            label={`Your telephone number or e-mail address${mark('contact')}`}
            maxLength={255}
          />
        </>
      )}
    </>
  )
}

/** Button that reads the position of the device, only when it is pressed. */
function PositionButton({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle')
  const read = () => {
    setState('reading')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState('idle')
        onChange({ latitude: Number(coords.latitude.toFixed(5)), longitude: Number(coords.longitude.toFixed(5)) })
      },
      () => setState('failed'),
      { enableHighAccuracy: true, timeout: 20_000 },
    )
  }
  if (draft.latitude !== null)
    return (
      <Text role="status">
        {`Your position is added: ${draft.latitude}, ${draft.longitude}. `}
        <Button variant="subtle" onClick={() => onChange({ latitude: null, longitude: null })}>
          Remove
        </Button>
      </Text>
    )
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCurrentLocation size={16} aria-hidden />}
        loading={state === 'reading'}
        onClick={read}
      >
        Use my position
      </Button>
      {state === 'failed' && (
        <Text role="alert" size="sm">
          Your position could not be read. Please describe the place.
        </Text>
      )}
    </>
  )
}

interface SummaryProps extends Pick<Props, 'draft' | 'sites' | 'photoCount'> {
  readonly hasPhotos: boolean
}

/** Answers of a report. */
export function ReportSummary({ draft, sites, photoCount, hasPhotos }: SummaryProps) {
  const site = sites.find((one) => one['@id'] === draft.site)?.name
  const position = draft.latitude === null ? undefined : `${draft.latitude}, ${draft.longitude}`
  const where = [site, draft.internalLocation, position].filter(Boolean).join('\n')
  const facts = [
    ['What happened', draft.description],
    ['Where', where],
    [
      'When',
      draft.when &&
        Temporal.PlainDateTime.from(draft.when).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' }),
    ],
    ...(draft.nearMiss
      ? []
      : [
          ['How bad', HARM_ANSWERS.find(({ value }) => value === draft.severity)?.label ?? ''],
          ['Hurt', draft.severity === 'none' ? '' : draft.injured],
        ]),
    ...(hasPhotos ? [['Photos', photoCount ? String(photoCount) : '']] : []),
  ]
  return (
    <dl className={css.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value || 'Not stated'}</dd>
        </div>
      ))}
    </dl>
  )
}
