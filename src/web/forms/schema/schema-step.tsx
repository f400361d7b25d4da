import { Button, Group, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { FormStep } from '#kernel/forms/schema.ts'
import type { VisibleGroup } from '#kernel/forms/visible.ts'
import { HelpButton } from '../../ui/help.tsx'
import { useDerivedValue } from '../store/use-value-store.ts'
import type { SchemaFormContext } from './parts.ts'
import { SchemaField } from './schema-field.tsx'
import css from './schema-form.module.css'
import type { OpenFormStep } from './step-map.tsx'

interface Props {
  readonly parts: SchemaFormContext
  readonly step: FormStep
  readonly steps: readonly FormStep[]
  readonly go: OpenFormStep
  readonly End: ComponentType<{ readonly step: FormStep }> | undefined
}

/** Visible fields of one step, with links to the previous and next steps. */
export function SchemaStep({ parts, step, steps, go, End }: Props) {
  const { store } = parts
  const groupsNow = () => store.derived().visible.steps.find((s) => s.step.name === step.name)?.groups ?? []
  useDerivedValue(store, () =>
    groupsNow()
      .map((g) => `${step.groups.indexOf(g.group)}:${g.fields.map((f) => f.name).join(' ')}`)
      .join('/'),
  )
  const at = steps.indexOf(step)
  const [before, after] = [steps[at - 1], steps[at + 1]]
  return (
    <div>
      {steps.length > 1 && (
        <Group gap="xs" mb="md">
          <Title order={2} size="h3" id={`${parts.id}-step`} tabIndex={-1} className={css.heading}>
            {step.title}
          </Title>
          {step.help && <HelpButton name={step.title}>{step.help}</HelpButton>}
        </Group>
      )}
      {groupsNow().map((g) => (
        <FieldGroup key={step.groups.indexOf(g.group)} parts={parts} shown={g} level={steps.length > 1 ? 3 : 2} />
      ))}
      {End && <End step={step} />}
      {steps.length > 1 && (
        <Group justify="space-between" mt="lg">
          {before ? (
            <Button
              variant="default"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
              onClick={() => go(before.name)}
            >
              {`Back to ${before.title}`}
            </Button>
          ) : (
            <span />
          )}
          {after && (
            <Button
              variant="default"
              rightSection={<IconArrowRight size={16} aria-hidden />}
              onClick={() => go(after.name)}
            >
              {`Next: ${after.title}`}
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}

interface GroupProps {
  readonly parts: SchemaFormContext
  readonly shown: VisibleGroup
  readonly level: 2 | 3
}

function FieldGroup({ parts, shown: { group, fields }, level }: GroupProps) {
  return (
    <div className={css.group}>
      {group.title && (
        <Title order={level} size="h4" mb={4}>
          {group.title}
        </Title>
      )}
      {group.help && (
        <Text size="sm" mb="sm" className={css.words}>
          {group.help}
        </Text>
      )}
      <div className={css.fields}>
        {fields.map((f) => (
          <SchemaField key={f.name} parts={parts} field={f} path={[f.name]} />
        ))}
      </div>
    </div>
  )
}
