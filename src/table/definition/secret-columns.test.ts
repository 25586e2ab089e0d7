import { describe, expect, test } from 'vitest'
import { columnOf, tableOf } from '../../../test/table-of.ts'
import type { Column, Table } from '../source/schema.ts'
import { isMasked } from './masked-values.ts'
import { secretReason } from './secret-columns.ts'

const names = (text: string) => text.trim().split(/\s+/)

function isSecret(column: Column, over: Partial<Table> = {}, others: readonly Table[] = []) {
  const table = tableOf([columnOf('id', { type: 'integer' }), column], { name: 'people', ...over })
  return secretReason(column, table, [table, ...others]) !== undefined
}

describe('a column of text', () => {
  test.each(
    names(`
      password passwd Password PASSWORD user_password passwordHash password_digest password2
      encrypted_password current-password passwordhash userpassword pwd user_pwd passcode
      passphrase user_pass password_hint
      secret secrets clientSecret client-secret CLIENT_SECRET webhook.secret secret_value
      token tokens Token access_token accessToken accesstoken remember_token APIToken resetToken
      csrf_token token_value
      hash hashes pin_hash sha256_hash hash_value refreshTokenHash
      api_key apiKey API_KEY APIKey APIKeyValue api-key apikey private_key privateKey PrivateKeyPEM
      encryption_key signingKey ssh_key stripe_key access_keys license_key secretkey api_key_hash
      sesskey sess_id sessid PHPSESSID sess_data session_cookie otp_code prev_pass1 old_pw_a oldpass
      last_pass new_pw pw pw2 verification_code login_code mfa_code one_time_code
      credential credentials jwt otp totp_secret recovery_codes seed_phrase cvv passwort
    `),
  )('called %s looks secret', (name) => expect(isSecret(columnOf(name))).toBe(true))

  test.each(
    names(`
      id key keys Key key_id foreign_key primary_key primaryKey public_key ssh_public_key sort_key
      partitionKey cache_key idempotency_key translation_key i18n_key s3_key storage_key project_key
      keyboard keyboard_layout monkey hotkey turkey key_figures key_account key_person keynote keyword
      access_key_id api_key_id public_key_id2 api_key_name key_prefix key_version
      tokenizer tokenised token_type token_count token_url token_expires_at token_symbol
      password_changed_at passwordUpdatedAt password_policy has_password is_secret needs_token
      secretary secret_name hashtag hashtags file_hash content_hash commit_hash txHash geo_hash
      payload_key menu_key project_version_key concurrency_key cron_key pixel_hash unique_hash job_key
      template_key event_key route_key thumbnail_hash
      hash_algorithm passenger boarding_pass compass bypass passport encrypted api private salt
      value data name email code session_id
    `),
  )('called %s does not', (name) => expect(isSecret(columnOf(name))).toBe(false))
})

test.each<[string, Column]>([
  ['a moment', columnOf('password_reset', { type: 'datetime' })],
  ['a day', columnOf('token', { type: 'date' })],
  ['a yes or no', columnOf('password', { type: 'boolean' })],
  ['how many there were', columnOf('prompt_tokens', { type: 'integer' })],
  ['a key of a warehouse', columnOf('customer_key', { type: 'integer' })],
])('%s is no secret', (_, column) => expect(isSecret(column)).toBe(false))

test.each(['otp', 'otp_code', 'sms_code', 'cvv', 'password', 'passcode'])(
  '%s is one even as a number',
  (name) => {
    expect(isSecret(columnOf(name, { type: 'integer' }))).toBe(true)
  },
)

test.each<Column['type']>(['json', 'binary'])('a secret may be kept as %s', (type) => {
  expect(isSecret(columnOf('credentials', { type }))).toBe(true)
})

describe('the name of the table', () => {
  test.each(
    names('keys api_keys apiKeys access_tokens user_secrets Credentials auth.keys token secret'),
  )('%s makes its keys and values secret', (name) => {
    expect(isSecret(columnOf('key'), { name })).toBe(true)
    expect(isSecret(columnOf('value'), { name })).toBe(true)
    expect(isSecret(columnOf('name'), { name })).toBe(false)
  })

  test.each(
    names('settings translations key_figures translation_keys cache_keys key_value options'),
  )('%s does not', (name) => {
    expect(isSecret(columnOf('key'), { name })).toBe(false)
    expect(isSecret(columnOf('value'), { name })).toBe(false)
  })
})

describe('a key', () => {
  const isKeySecret = (table: string, name: string, ...others: Column[]) =>
    isSecret(columnOf(name), {
      name: table,
      key: [name],
      columns: [columnOf(name), ...others],
    })

  test('looks secret where it is enough to act as somebody', () => {
    const data = columnOf('session_data')
    expect(isKeySecret('django_session', 'session_key', data)).toBe(true)
    expect(isKeySecret('sessions', 'id', columnOf('payload'))).toBe(true)
    expect(isKeySecret('session', 'sid', columnOf('sess', { type: 'json' }))).toBe(true)
    expect(isKeySecret('user_sessions', 'session_id', columnOf('expires'))).toBe(true)
    expect(isKeySecret('core_session', 'id', columnOf('anti_csrf_token'))).toBe(true)
    expect(isKeySecret('authtoken_token', 'key')).toBe(true)
    expect(isKeySecret('password_resets', 'token')).toBe(true)
    expect(isKeySecret('people', 'api_key')).toBe(true)
  })

  test.each(['otp_code', 'sesskey', 'sess_id', 'prev_pass1', 'old_pw_a', 'verification_code'])(
    'called %s is a secret as well',
    (name) => expect(isKeySecret('entries', name)).toBe(true),
  )

  test('stays otherwise, since less would be seen of its table', () => {
    expect(isKeySecret('options', 'key', columnOf('value'))).toBe(false)
    expect(isKeySecret('sessions', 'id', columnOf('session_token'), columnOf('expires'))).toBe(
      false,
    )
    expect(isKeySecret('products', 'product_key')).toBe(false)
    expect(isKeySecret('files', 'hash')).toBe(false)
    expect(isKeySecret('sessions', 'id')).toBe(false)
    expect(isKeySecret('training_sessions', 'id', columnOf('data'))).toBe(false)
    expect(isSecret(columnOf('token', { type: 'integer' }), { key: ['token'] })).toBe(false)
  })

  const sessions = tableOf([columnOf('token'), columnOf('secret'), columnOf('number')], {
    name: 'sessions',
    key: ['token'],
  })
  const linkTo = (target: string, name: string) => ({
    foreignKeys: [{ columns: [name], table: 'sessions', references: [target] }],
  })

  test('of another table is as secret as it is there, whatever it is called here', () => {
    const column = columnOf('session_token')
    expect(isSecret(column, linkTo('number', 'session_token'), [sessions])).toBe(false)
    expect(isSecret(column)).toBe(true)
    expect(isSecret(columnOf('visit'), linkTo('token', 'visit'), [sessions])).toBe(true)
  })

  test('that refers to a secret is one, whatever it is called here', () => {
    expect(isSecret(columnOf('owner'), linkTo('secret', 'owner'), [sessions])).toBe(true)
    expect(isSecret(columnOf('owner'))).toBe(false)
  })
})

describe('other languages', () => {
  test.each(
    names(`
      Passwort kennwort passwort_hash mot_de_passe motDePasse motdepasse contraseña contrasena senha
      palavra_passe wachtwoord lösenord losenord passord adgangskode kodeord hasło haslo heslo jelszó
      parola parolă lozinka geslo salasana parool slaptažodis şifre пароль парола κωδικός
      geheimnis geheimzahl segreto secreto segredo jeton_acces clave_privada clave_secreta clé_privée
      cle_secrete chiave_privata chave_privada privater_schluessel api_schlüssel
    `),
  )('call a secret %s', (name) => expect(isSecret(columnOf(name))).toBe(true))

  test.each(
    names(`
      parola_chiave schluessel schluesselnummer clave clave_producto codigo codigo_postal passeport
      llave chiave_esterna clé_étrangère passagier parolier postleitzahl privat geheimrat contraste
    `),
  )('do not mean one by %s', (name) => expect(isSecret(columnOf(name))).toBe(false))
})

describe('neighbours', () => {
  const reasonOf = (name: string, beside: readonly string[], over: Partial<Table> = {}) => {
    const column = columnOf(name)
    const columns = [
      columnOf('id', { type: 'integer' }),
      column,
      ...beside.map((one) => columnOf(one)),
    ]
    const table = tableOf(columns, { name: 'people', ...over })
    return secretReason(column, table, [table])
  }

  test.each([
    ['salt', 'password_hash'],
    ['pass', 'mail'],
    ['clave', 'usuario'],
    ['key', 'secret'],
    ['verifier', 'token'],
    ['iv', 'ciphertext'],
    ['code', 'code_challenge'],
  ])('make a secret of %s: %s', (name, neighbour) => {
    expect(reasonOf(name, ['name', neighbour])).toEqual({ by: 'neighbour', column: neighbour })
    expect(reasonOf(name, ['name'])).toBeUndefined()
  })

  test('make session data of data only where sessions are those of people', () => {
    expect(reasonOf('data', ['expires'], { name: 'user_sessions' })).toBeDefined()
    expect(reasonOf('session_id', ['data'], { name: 'sessions' })).toBeDefined()
    expect(reasonOf('session_id', ['title'], { name: 'sessions' })).toBeUndefined()
    for (const name of ['sessions', 'php_sessions', 'usersessions', 'session_store', 'sess']) {
      expect(reasonOf('session_id', ['user_agent'], { name })).toBeDefined()
      expect(reasonOf('session_data', ['expires'], { name })).toBeDefined()
      expect(reasonOf('user_data', ['ip_address'], { name })).toBeDefined()
      expect(reasonOf('value', ['expires'], { name })).toBeDefined()
    }
    expect(reasonOf('data', ['expires'], { name: 'training_sessions' })).toBeUndefined()
  })

  test('tell that something is none', () => {
    expect(reasonOf('lc_key', [])).toEqual({ by: 'name', words: 'lc key' })
    expect(reasonOf('lc_key', ['lc_value'])).toBeUndefined()
    expect(reasonOf('hash', ['file_name'])).toBeUndefined()
    expect(reasonOf('key', ['fingerprint'], { name: 'keys' })).toBeUndefined()
  })
})

describe('the values of settings', () => {
  const reasonFor = (naming: string, column: Column, table: Partial<Table> = {}) => {
    const made = tableOf([columnOf('id'), columnOf(naming), column], table)
    return secretReason(column, made, [made])
  }

  test.each([
    ['option_name', 'option_value'],
    ['meta_key', 'meta_value'],
    ['key', 'value'],
    ['name', 'value'],
    ['configkey', 'configvalue'],
    ['path', 'value'],
    ['key', 'val'],
  ])('are masked row by row, by their names: %s, %s', (naming, name) => {
    const reason = { by: 'setting', column: naming }
    expect(reasonFor(naming, columnOf(name))).toEqual(reason)
    expect(reasonFor(naming, columnOf(name, { sample: ['$2y$10$abcdefghijkl'] }))).toEqual(reason)
  })

  test('are nothing of the kind where they are numbers, or beside what names something else', () => {
    expect(reasonFor('name', columnOf('value', { type: 'decimal' }))).toBeUndefined()
    expect(reasonFor('title', columnOf('value'))).toBeUndefined()
    expect(reasonFor('name', columnOf('price'))).toBeUndefined()
  })

  test('are texts for people where the table is one of translations', () => {
    expect(reasonFor('key', columnOf('value'), { name: 'ui_translations' })).toBeUndefined()
    const columns = [columnOf('locale'), columnOf('key'), columnOf('value')]
    const table = tableOf(columns, { name: 'labels' })
    expect(secretReason(columns[2]!, table, [table])).toBeUndefined()
  })

  test('are hidden whole in a table of secrets, or behind a reference', () => {
    expect(reasonFor('key', columnOf('value'), { name: 'api_keys' })?.by).toBe('table')
  })
})

describe('a setting', () => {
  test.each([
    'mailserver_pass',
    'session_tokens',
    'database.secret',
    'smtp-password',
    'passwordsalt',
    'payment/stripe/secret_key',
    'AWS_SECRET_ACCESS_KEY',
    'auth_salt',
  ])('called %s is masked', (name) => expect(isMasked(name, 'x')).toBe(true))

  test.each(['theme', 'password_policy', 'public_key', 'siteurl', '', null, 7])(
    'called %s is shown',
    (name) => expect(isMasked(name, 'x')).toBe(false),
  )

  test('is masked by its value, too', () => {
    expect(isMasked('signing', '-----BEGIN PRIVATE KEY-----')).toBe(true)
    expect(isMasked(Buffer.from('smtp_password'), 'x')).toBe(true)
  })
})

describe('values', () => {
  test.each([
    '-----BEGIN PRIVATE KEY-----\nMIIE',
    '-----BEGIN RSA PRIVATE KEY-----\n',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    'PuTTY-User-Key-File-2: ssh-rsa',
    'AGE-SECRET-KEY-1QQQQ',
    '$2y$10$abcdefghijklmnopqrstuv',
    '$argon2id$v=19$m=65536',
    'pbkdf2_sha256$260000$salt',
    '{SSHA}abcdef',
    'sk_live_abcdef',
    'ghp_abcdef',
  ])('such as %j are secrets, whatever their column is called', (value) => {
    const column = columnOf('remark', { sample: ['nothing', value] })
    expect(secretReason(column, tableOf([column]), [])).toEqual({ by: 'value' })
  })

  test.each([
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
    'ssh-ed25519 AAAA',
    '$5',
  ])('such as %j are none', (value) => {
    const column = columnOf('remark', { sample: [value] })
    expect(secretReason(column, tableOf([column]), [])).toBeUndefined()
  })
})
