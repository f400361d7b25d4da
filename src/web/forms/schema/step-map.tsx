import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Progress.layer.css'
import { Menu, Progress, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconCircleCheckFilled, IconCircleDashed, IconCirclePlus } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { StepCompletion } from '#kernel/forms/completion.ts'
import type { FormStep } from '#kernel/forms/schema.ts'
import { useDerivedValue } from '../store/use-value-store.ts'
import css from './step-map.module.css'
import type { FormStore } from './store.ts'
import { useFormCompletion } from './use-form.ts'

/** Function that opens a step and then runs an action. If no action is given, the focus moves to the step's heading. */
export type OpenFormStep = (step: string, then?: () => void) => void

/**
 * Returns the visible steps, the open step, and a function that opens another step. If the URL stores the open step,
 * opening another one adds an entry to the browser's history.
 */
export function useFormStep(store: FormStore, kept: 'address' | 'here', id: string) {
  const [search, setSearch] = useSearchParams()
  const [own, setOwn] = useState<string>()
  useDerivedValue(store, () =>
    store
      .derived()
      .visible.steps.map((s) => s.step.name)
      .join(' '),
  )
  const steps: readonly FormStep[] = store.derived().visible.steps.map((s) => s.step)
  const wanted = kept === 'address' ? search.get('step') : own
  const step = steps.find((s) => s.name === wanted) ?? steps[0]
  const open = step?.name
  const arrived = useRef<() => void>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it happens once the step has been drawn
  useEffect(() => {
    arrived.current?.()
    arrived.current = undefined
  }, [open])
  const go = useCallback<OpenFormStep>(
    (name, then = () => document.getElementById(`${id}-step`)?.focus()) => {
      if (name === open) return then()
      arrived.current = then
      if (kept === 'here') setOwn(name)
      else
        setSearch((now) => {
          const next = new URLSearchParams(now)
          next.set('step', name)
          return next
        })
    },
    [kept, setSearch, id, open],
  )
  return { steps, step, go }
}

interface Props {
  readonly store: FormStore
  readonly steps: readonly FormStep[]
  readonly current: FormStep
  readonly go: OpenFormStep
  /** True to show the navigation as a strip above the step rather than as a list next to the step. */
  readonly above: boolean
}

/**
 * Navigation for a form's steps, which shows how complete each step is. It is a list next to the form, a strip above
 * the form, or a bar if space is short.
 */
export function FormStepNavigation({ store, steps, current, go, above }: Props) {
  const { percent, steps: done } = useFormCompletion(store)
  const at = steps.indexOf(current) + 1
  return (
    <nav aria-label={`Steps in ${store.schema.title}`} className={css.map} data-above={above || undefined}>
      <div className={css.total}>
        <Progress
          value={percent}
          size="sm"
          aria-label={`${percent}% filled in`}
          color={percent === 100 ? 'green.7' : 'signal.8'}
        />
        <span className={css.percent}>{percent}% filled in</span>
      </div>
      <ol className={css.list}>
        {steps.map((step, i) => (
          <li key={step.name}>
            <UnstyledButton
              className={css.step}
              aria-current={step === current ? 'step' : undefined}
              onClick={() => go(step.name)}
            >
              <Mark done={done[step.name]} />
              <span className={css.title}>{`${i + 1}. ${step.title}`}</span>
              <span className={css.count}>{wordsFor(done[step.name])}</span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <div className={css.bar}>
        <Menu position="bottom" width="target" shadow="md">
          <Menu.Target>
            <UnstyledButton className={css.step}>
              <Mark done={done[current.name]} />
              <span className={css.title}>{`Step ${at} of ${steps.length}: ${current.title}`}</span>
              <IconChevronDown size={18} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {steps.map((step, i) => (
              <Menu.Item key={step.name} leftSection={<Mark done={done[step.name]} />} onClick={() => go(step.name)}>
                {`${i + 1}. ${step.title}`}
                <span className={css.count}>{wordsFor(done[step.name])}</span>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </nav>
  )
}

function Mark({ done }: { readonly done: StepCompletion | undefined }) {
  if (done?.complete && done.required > 0) return <IconCircleCheckFilled size={18} className={css.done} aria-hidden />
  return done && done.required === 0 ? (
    <IconCirclePlus size={18} className={css.open} aria-hidden />
  ) : (
    <IconCircleDashed size={18} className={css.open} aria-hidden />
  )
}

const wordsFor = (done: StepCompletion | undefined): string =>
  !done || done.required === 0 ? 'Optional' : done.complete ? 'Filled in' : `${done.filled} of ${done.required}`
