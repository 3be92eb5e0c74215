import { Radio, Stack } from '@mantine/core';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/Stack.css';

type Option<Value extends string> = {
  readonly value: Value;
  readonly label: string;
  /** Explains the consequences of the option. */
  readonly about: string;
};

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** Radio buttons for a few options, each with an explanation. */
export function RadioChoice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <Radio.Group label={label} size="md" value={value} onChange={(chosen) => onChange(chosen as Value)}>
      <Stack gap="md" mt="xs">
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            label={option.label}
            description={option.about}
            size="md"
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
