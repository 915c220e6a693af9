/** Types that many modules name. Things of the server have the fields that its answers have; here are those that are used often. */

type Chat = import("./model/chat.js").Chat;
type Message = import("./model/messages.js").Message;
type MessageList = import("./model/messages.js").MessageList;
type PageProps = import("./view/pages.js").PageProps;
type PageActions = import("./view/page_actions.js").PageActions;
type TextName = keyof typeof import("./text/texts.js").default;

/** Where a message goes: a channel and a topic, or people. */
type Place = { channelId?: number; topic?: string; people?: number[] };

/** The value of a permission: a group, or people and groups. */
type Holders = number | { direct_members: number[]; direct_subgroups: number[] };

interface Person {
  user_id: number;
  full_name: string;
  avatar_url: string | null;
  email: string;
  is_bot: boolean;
  is_active: boolean;
  role: number;
  [field: string]: any;
}

interface Channel {
  stream_id: number;
  name: string;
  description: string;
  color: string;
  is_muted: boolean;
  invite_only: boolean;
  is_web_public: boolean;
  is_archived: boolean;
  pin_to_top: boolean;
  subscriber_count: number;
  history_public_to_subscribers: boolean;
  folder_id: number | null;
  [field: string]: any;
}

interface Group {
  id: number;
  name: string;
  description: string;
  members: number[];
  direct_subgroup_ids: number[];
  is_system_group: boolean;
  deactivated: boolean;
  [field: string]: any;
}

/** The answer of `POST register`, kept current. */
interface RegisterState {
  channel_folders: any[];
  custom_profile_fields: any[];
  custom_profile_field_types: Record<string, { id: number }>;
  realm_default_external_accounts: Record<string, { name: string; url_pattern: string }>;
  realm_domains: any[];
  muted_users: { id: number }[];
  [field: string]: any;
}

interface Draft {
  id: number;
  type: "" | "stream" | "private";
  to: number[];
  topic: string;
  content: string;
  timestamp: number;
}
